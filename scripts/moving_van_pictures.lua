-- Moving Van 1 -> 2: one Item becomes an Item, its Photo and its Thumbnail.
return {
  creates = { "Item", "Photo", "Thumbnail" },
  create = function(item, new, ctx)
    local copy = new.Item(item)
    if not item.image then return copy end
    copy.photo = new.Photo { data = item.image }
    if image then
      local small, why = image.thumbnail(item.image, ctx.params.size)
      if small then
        copy.thumbnail = new.Thumbnail { data = small }
      else
        ctx.warn("no thumbnail: " .. why)
      end
    else
      ctx.warn("thumbnails are left for the app: this build has no module image")
    end
    return copy
  end,
}
