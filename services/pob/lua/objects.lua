-- Makes an object of one of Path of Building's classes. Older checkouts construct it at once; newer ones answer it bare, with a method
-- of the class's own name that constructs it.
return function(class, ...)
  local object = new(class, ...)
  local construct = object[class]
  if type(construct) == "function" then construct(object, ...) end
  return object
end
