-- Post -> Post and Color: the text that says a post's color becomes an object with an identifier.
-- The identifier comes from the post's own, so that a run that is repeated gives it again.
return {
  creates = { "Post", "Color" },
  create = function(post, new, ctx)
    local made = new.Post(post)
    made.color = new.Color {
      colorID = uuid.named("color of " .. post.postID),
      hex = post[ctx.params.color],
    }
    return made
  end,
}
