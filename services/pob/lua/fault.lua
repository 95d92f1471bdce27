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

-- What a message of Path of Building's own says in one line: no colours, no headline, no traceback.
function fault.line(text)
  text = tostring(text):gsub("%^x%x%x%x%x%x%x", ""):gsub("%^%d", "")
  for line in text:gmatch("[^\r\n]+") do
    line = line:match("^%s*(.-)%s*$")
    if line ~= "" and line ~= "Error:" then return line end
  end
  return "it does not say why"
end

function fault.message(value)
  return fault.is(value) and value.message or (fault.line(value):gsub("^.-([^/\\]+:%d+:)", "%1"))
end

return fault
