-- The options of Path of Building's configuration tab: which there are, and which values each takes.
local json, fault, names = ...
local config = {}

local options, kinds

-- The list that the tab is made of.
function config.options()
  if options then return options end
  options = {}
  local ok, list = pcall(function() return LoadModule("Modules/ConfigOptions") end)
  for _, entry in ipairs(ok and type(list) == "table" and list or {}) do
    if entry.var then options[#options + 1] = entry end
  end
  return options
end

local function types()
  if kinds then return kinds end
  kinds = {}
  for _, entry in ipairs(config.options()) do kinds[entry.var] = entry.type end
  return kinds
end

local function whole(value)
  return type(value) == "number" and value == math.floor(value) and math.abs(value) < 1e10
end

local takes = {
  check = { "true or false", function(value) return type(value) == "boolean" end },
  count = { "a whole number from 0", function(value) return whole(value) and value >= 0 end },
  countAllowZero = { "a whole number from 0", function(value) return whole(value) and value >= 0 end },
  integer = { "a whole number", whole },
  float = { "a number from 0", function(value) return type(value) == "number" and value >= 0 and value < 1e10 end },
  text = { "a text", function(value) return type(value) == "string" end },
}

local function quoted(value)
  return type(value) == "string" and '"' .. value .. '"' or tostring(value)
end

local function wrong_type(name, value)
  local rule = takes[types()[name] or ""]
  if rule and not rule[2](value) then return "the option " .. name .. " takes " .. rule[1] .. ", not " .. quoted(value) end
end

-- What there is instead, where that is not too much to read.
local most_named = 120

local function listed(texts)
  return #texts > 0 and #texts <= most_named and "; there are " .. table.concat(texts, ", ") or ""
end

-- What is wrong with an option or its value, and what was meant; nothing when Path of Building takes it.
function config.problem(name, value)
  local controls = build.configTab.varControls
  local control = controls[name]
  if not control then
    local known = names.keys(controls)
    local near = names.nearest(name, known)
    return "the configuration has no option " .. name .. (near and "" or listed(known)), near
  end
  if type(control.list) == "table" then
    local texts = {}
    for index, entry in ipairs(control.list) do
      if entry.val == value then return nil end
      texts[index] = tostring(entry.val)
    end
    local near = names.nearest(tostring(value), texts)
    return "the option " .. name .. " has no value " .. quoted(value) .. (near and "" or listed(texts)), near
  end
  return wrong_type(name, value)
end

-- The first option in a build's XML whose value is of another type, which Path of Building reports as an error in its own code.
function config.explain(xml)
  for attributes in xml:gmatch("<Input%s([^<>]*)>") do
    local name = attributes:match('name="([^"]*)"')
    local text, number, flag = attributes:match('string="([^"]*)"'), attributes:match('number="([^"]*)"'), attributes:match('boolean="([^"]*)"')
    local value = text or tonumber(number or "")
    if value == nil and flag then value = flag == "true" end
    local problem = name and value ~= nil and wrong_type(name, value)
    if problem then return problem end
  end
end

local function check(name, value)
  if value == json.null and build.configTab.varControls[name] then return end
  local problem, near = config.problem(name, value)
  if not problem then return end
  fault.raise("bad_change", near and problem .. "; did you mean " .. near .. "?" or problem)
end

-- Sets options; null gives one back its default. All are checked before any is set.
function config.change(values)
  local tab = build.configTab
  for _, name in ipairs(names.keys(values)) do check(name, values[name]) end
  for name, value in pairs(values) do
    if value == json.null then value = nil end
    tab.input[name] = value
  end
  -- Twice: some options set what others fall back to.
  tab:BuildModList()
  tab:BuildModList()
end

function config.read()
  local set = json.map()
  for name, value in pairs(build.configTab.input) do set[name] = value end
  return { config = set }
end

return config
