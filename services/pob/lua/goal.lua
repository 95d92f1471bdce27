-- What a change is wanted for: a weight for each stat that counts, and the least that some stats must have. Pure.
local json = ...
local goal = {}

-- A stat's value in an output of Path of Building; minions' stats are named with "Minion" before them. Nothing where it has none.
function goal.value(output, stat)
  local minion = stat:match("^Minion(.+)")
  local value = output[stat]
  if value == nil and minion and type(output.Minion) == "table" then value = output.Minion[minion] end
  return value
end

local endless = { Infinity = math.huge, ["-Infinity"] = -math.huge }

-- A stat that is not there, as Path of Building leaves out many that are 0, counts as 0; so does one that is no number, which the caller
-- of all this has to name. What is endless comes as text where an output is flattened.
local function number(output, stat)
  local value = goal.value(output, stat)
  local amount = endless[value] or value
  return type(amount) == "number" and amount == amount and amount or 0
end

-- The most that one stat can gain or lack in proportion: what from a number to endless is worth. Finite, so that it can be compared and added.
local most = 1e9

-- Nothing lies between two that are endless.
local function proportion(from, to, whole)
  if from == to then return 0 end
  if math.abs(from) == math.huge or math.abs(to) == math.huge then return to > from and most or -most end
  return math.max(-most, math.min((to - from) / math.max(math.abs(whole), 1), most))
end

local function sorted(map)
  local keys = {}
  for name in pairs(map or {}) do keys[#keys + 1] = name end
  table.sort(keys)
  return keys
end

-- The names of all stats that it looks at, in order.
function goal.stats(wanted)
  local all = {}
  for name in pairs(wanted.weights) do all[name] = true end
  for name in pairs(wanted.atLeast or {}) do all[name] = true end
  for _, name in ipairs(wanted.show or {}) do all[name] = true end
  return sorted(all)
end

-- How much better an output is than the build's own: the sum of what each stat gains in proportion to what it is now, by weight. A
-- stat between -1 and 1 gains by its points, since there is no proportion to nothing.
function goal.score(wanted, before, after)
  local sum = 0
  for _, stat in ipairs(sorted(wanted.weights)) do
    local was = number(before, stat)
    sum = sum + wanted.weights[stat] * proportion(was, number(after, stat), was)
  end
  return sum
end

-- How far an output is below what it must have at least, in proportion; 0 when it has all.
function goal.lacking(wanted, output)
  local sum = 0
  for _, stat in ipairs(sorted(wanted.atLeast)) do
    local least = wanted.atLeast[stat]
    sum = sum + math.max(proportion(number(output, stat), least, least), 0)
  end
  return sum
end

-- True when the first is better: it lacks less, or else scores more.
function goal.better(a, b)
  if a.lacking ~= b.lacking then return a.lacking < b.lacking end
  return a.score > b.score
end

function goal.values(stats, output)
  local values = json.map()
  for _, stat in ipairs(stats) do
    local value = goal.value(output, stat)
    if type(value) == "number" or type(value) == "string" then values[stat] = value else values[stat] = json.null end
  end
  return values
end

return goal
