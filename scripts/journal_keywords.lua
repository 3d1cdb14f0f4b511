-- Journal 3 -> 4: keywords that are spelled alike become one, with the notes of all of them.
return {
  create = function(keyword, new, ctx)
    return ctx.find("Keyword", { word = keyword.word })[1] or new.Keyword(keyword)
  end,
}
