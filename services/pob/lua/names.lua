-- What was meant by a name or by a line of an item that Path of Building does not know: the nearest that it does know.
local names = {}

-- How many letters must be added, taken out or replaced to make one text the other; nothing when it is more than `most`.
local function distance(a, b, most)
  if math.abs(#a - #b) > most then return nil end
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local corner, least, letter = row[0], i, a:byte(i)
    row[0] = i
    for j = 1, #b do
      local replaced = corner + (letter == b:byte(j) and 0 or 1)
      corner = row[j]
      local cost = math.min(replaced, corner + 1, row[j - 1] + 1)
      row[j] = cost
      if cost < least then least = cost end
    end
    if least > most then return nil end
  end
  return row[#b] <= most and row[#b] or nil
end

-- The name that is nearest to what was typed, if a third of its letters at most differ. Case does not count.
function names.nearest(typed, known)
  local lower, near, apart = typed:lower(), nil, math.huge
  for _, name in ipairs(known) do
    local found = distance(lower, name:lower(), math.min(apart - 1, math.max(1, math.floor(#name / 3))))
    if found then near, apart = name, found end
  end
  return near
end

function names.keys(map)
  local list = {}
  for name in pairs(map or {}) do
    if type(name) == "string" then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

local number = "%d+%.?%d*"

-- How often each letter is in a text: what two texts differ in there, they differ in at least half of that as a whole.
local function letters(text)
  local count = {}
  for i = 1, #text do
    local byte = text:byte(i) % 32
    count[byte] = (count[byte] or 0) + 1
  end
  for byte = 0, 31 do count[byte] = count[byte] or 0 end
  return count
end

local function too_far(a, b, most)
  local apart = 0
  for byte = 0, 31 do
    apart = apart + math.abs(a[byte] - b[byte])
    if apart > 2 * most then return true end
  end
  return false
end

-- The kinds of lines that Path of Building understands, with `#` for each number; read from its own list when first needed.
local kinds

local function known_lines()
  if kinds then return kinds end
  local seen = {}
  kinds = {}
  for line, parsed in pairs(modLib and modLib.parseModCache or {}) do
    local kind = parsed[1] and not parsed[2] and line:gsub(number, "#")
    if kind and not seen[kind] then
      seen[kind] = true
      kinds[#kinds + 1] = { text = kind, lower = kind:lower(), letters = letters(kind) }
    end
  end
  table.sort(kinds, function(a, b) return a.text < b.text end)
  return kinds
end

local function nearest_kind(kind)
  local lower, own, near, apart = kind:lower(), letters(kind), nil, math.floor(#kind / 4) + 1
  for _, known in ipairs(known_lines()) do
    local most = apart - 1
    if math.abs(#known.lower - #lower) <= most and not too_far(own, known.letters, most) then
      local found = distance(lower, known.lower, most)
      if found then near, apart = known.text, found end
      if apart == 0 then break end
    end
  end
  return near and { text = near, apart = apart } or false
end

local remembered, count = {}, 0

-- The line that is nearest to one that is not understood, with the numbers that it has, and how many letters apart it is.
function names.nearest_line(line)
  local kind = line:gsub(number, "#")
  if remembered[kind] == nil then
    if count > 2000 then remembered, count = {}, 0 end
    remembered[kind], count = nearest_kind(kind), count + 1
  end
  if not remembered[kind] then return nil end
  local near, apart = remembered[kind].text, remembered[kind].apart
  local values = {}
  for value in line:gmatch(number) do values[#values + 1] = value end
  local at, places = 0, select(2, near:gsub("#", ""))
  if places ~= #values then return near, apart end
  return near:gsub("#", function()
    at = at + 1
    return values[at]
  end), apart
end

return names
