-- JSON for the bridge: keeps empty lists and empty maps apart, writes keys in order so that equal answers are equal bytes, and
-- writes numbers so that they read back exactly. Refuses what is not JSON (functions, cycles are a mistake of the caller).
local json = {}

local list_mark, map_mark = {}, {}

-- Marks a table as a list, also when it is empty.
function json.list(value)
  return setmetatable(value or {}, list_mark)
end

-- Marks a table as a map, also when it is empty or its keys are numbers.
function json.map(value)
  return setmetatable(value or {}, map_mark)
end

json.null = setmetatable({}, { __tostring = function() return "null" end })

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

-- Bytes that are no UTF-8 become question marks: one bad name in a build must not spoil the whole answer.
local function clean(run)
  local at, parts = 1, {}
  while at <= #run do
    local lead = run:byte(at)
    local size = lead >= 0xf0 and lead < 0xf5 and 4 or lead >= 0xe0 and lead < 0xf0 and 3 or lead >= 0xc2 and lead < 0xe0 and 2 or 0
    local char = size > 0 and run:sub(at, at + size - 1):match("^[\194-\244][\128-\191]+$")
    local second = char and #char == size and run:byte(at + 1)
    local low = lead == 0xe0 and 0xa0 or lead == 0xf0 and 0x90 or 0x80
    local high = lead == 0xed and 0x9f or lead == 0xf4 and 0x8f or 0xbf
    if second and second >= low and second <= high then
      parts[#parts + 1] = char
      at = at + size
    else
      parts[#parts + 1] = "?"
      at = at + 1
    end
  end
  return table.concat(parts)
end

local function quote(text)
  return '"' .. text:gsub("[\128-\255]+", clean):gsub('[%c"\\\127]', function(char)
    return escapes[char] or string.format("\\u%04x", char:byte())
  end) .. '"'
end

local function number(value)
  if value ~= value or value == math.huge or value == -math.huge then return "null" end
  if value == math.floor(value) and math.abs(value) < 2 ^ 53 then return string.format("%d", value) end
  for digits = 14, 17 do
    local text = string.format("%." .. digits .. "g", value)
    if tonumber(text) == value then return text end
  end
end

local encode

local function encode_list(value, out)
  out[#out + 1] = "["
  for i = 1, #value do
    if i > 1 then out[#out + 1] = "," end
    encode(value[i], out)
  end
  out[#out + 1] = "]"
end

local function encode_map(value, out)
  local names, texts = {}, {}
  for key in pairs(value) do
    local name = tostring(key)
    names[#names + 1] = name
    texts[name] = key
  end
  table.sort(names)
  out[#out + 1] = "{"
  for i, name in ipairs(names) do
    if i > 1 then out[#out + 1] = "," end
    out[#out + 1] = quote(name) .. ":"
    encode(value[texts[name]], out)
  end
  out[#out + 1] = "}"
end

function encode(value, out)
  local kind = type(value)
  if kind == "string" then out[#out + 1] = quote(value)
  elseif kind == "number" then out[#out + 1] = number(value)
  elseif kind == "boolean" then out[#out + 1] = tostring(value)
  elseif value == nil or value == json.null then out[#out + 1] = "null"
  elseif kind ~= "table" then error("a " .. kind .. " is not JSON")
  elseif getmetatable(value) == list_mark then encode_list(value, out)
  elseif getmetatable(value) == map_mark or #value == 0 then encode_map(value, out)
  else encode_list(value, out) end
end

function json.encode(value)
  local out = {}
  encode(value, out)
  return table.concat(out)
end

local decode_value

local function fail(text, at, wanted)
  error({ json = "expected " .. wanted .. " at byte " .. at .. ", found " .. (text:sub(at, at) == "" and "the end" or "something else") })
end

local function blank(text, at)
  return text:find("[^ \t\r\n]", at) or #text + 1
end

local plain = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function utf8(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xc0 + math.floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return string.char(0xe0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
  end
  return string.char(0xf0 + math.floor(code / 262144), 0x80 + math.floor(code / 4096) % 64, 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

local function decode_string(text, at)
  local parts, from = {}, at + 1
  while true do
    local stop = text:find('["\\]', from) or fail(text, #text + 1, "the end of a string")
    parts[#parts + 1] = text:sub(from, stop - 1)
    if text:byte(stop) == 34 then return table.concat(parts), stop + 1 end
    local char = text:sub(stop + 1, stop + 1)
    if char == "u" then
      local code = tonumber(text:match("^%x%x%x%x", stop + 2) or fail(text, stop, "four hexadecimal digits"), 16)
      from = stop + 6
      local low = code >= 0xd800 and code < 0xdc00 and text:match("^\\u([dD][c-fC-F]%x%x)", from)
      if low then
        code = 0x10000 + (code - 0xd800) * 1024 + (tonumber(low, 16) - 0xdc00)
        from = from + 6
      end
      parts[#parts + 1] = utf8(code)
    else
      parts[#parts + 1] = plain[char] or fail(text, stop, "an escape")
      from = stop + 2
    end
  end
end

local function decode_list(text, at, depth)
  local value = json.list()
  at = blank(text, at + 1)
  if text:sub(at, at) == "]" then return value, at + 1 end
  while true do
    local item
    item, at = decode_value(text, at, depth)
    value[#value + 1] = item
    at = blank(text, at)
    local char = text:sub(at, at)
    if char == "]" then return value, at + 1 end
    if char ~= "," then fail(text, at, "a comma or ]") end
    at = blank(text, at + 1)
  end
end

local function decode_map(text, at, depth)
  local value = json.map()
  at = blank(text, at + 1)
  if text:sub(at, at) == "}" then return value, at + 1 end
  while true do
    if text:sub(at, at) ~= '"' then fail(text, at, "a name") end
    local name
    name, at = decode_string(text, at)
    at = blank(text, at)
    if text:sub(at, at) ~= ":" then fail(text, at, "a colon") end
    value[name], at = decode_value(text, blank(text, at + 1), depth)
    at = blank(text, at)
    local char = text:sub(at, at)
    if char == "}" then return value, at + 1 end
    if char ~= "," then fail(text, at, "a comma or }") end
    at = blank(text, at + 1)
  end
end

local words = { t = { "true", true }, f = { "false", false }, n = { "null", json.null } }

function decode_value(text, at, depth)
  if depth > 64 then fail(text, at, "less depth") end
  local char = text:sub(at, at)
  if char == '"' then return decode_string(text, at) end
  if char == "{" then return decode_map(text, at, depth + 1) end
  if char == "[" then return decode_list(text, at, depth + 1) end
  local word = words[char]
  if word and text:sub(at, at + #word[1] - 1) == word[1] then return word[2], at + #word[1] end
  local digits = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
  local value = digits and tonumber(digits)
  if not value then fail(text, at, "a value") end
  return value, at + #digits
end

-- The value, or nil and what was wrong.
function json.decode(text)
  local ok, value, at = pcall(decode_value, text, blank(text, 1), 0)
  if not ok then return nil, type(value) == "table" and value.json or tostring(value) end
  at = blank(text, at)
  if at <= #text then return nil, "expected the end at byte " .. at end
  return value
end

return json
