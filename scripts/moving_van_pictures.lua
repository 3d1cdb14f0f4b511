-- Moving Van 1 -> 2: one Item becomes an Item, its Photo and its Thumbnail.
return {
  creates = { "Item", "Photo", "Thumbnail" },
  create = function(item, new, ctx)
    local copy = new.Item(item)
    if not item.image then return copy end
    copy.photo = new.Photo { data = item.image }
    if image then
      copy.thumbnail = new.Thumbnail { data = image.thumbnail(item.image, ctx.params.size) }
    else
      ctx.warn("thumbnails are left for the app: this build has no module image")
    end
    return copy
  end,
}
