-- Errors with a code that the service knows. `fault.raise` is for what the caller can mend; anything else that is thrown is a
-- defect, and after a change the session can no longer be trusted.
local fault = {}
local mark = {}

function fault.raise(code, message, data)
  error(setmetatable({ code = code, message = message, data = data }, mark), 0)
end

function fault.is(value)
  return getmetatable(value) == mark
end

-- The code of whatever was thrown. Lua that is out of memory may have left anything half done.
function fault.code(value)
  if fault.is(value) then return value.code end
  return tostring(value):find("not enough memory", 1, true) and "out_of_memory" or "defect"
end

function fault.message(value)
  return fault.is(value) and value.message or (tostring(value):gsub("^.-([^/\\]+:%d+:)", "%1"))
end

return fault
