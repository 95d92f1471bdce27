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

return fault
