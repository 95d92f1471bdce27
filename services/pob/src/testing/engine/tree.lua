-- The stand-in's passive tree: a dozen nodes, some that misbehave when they are computed, and a wide field for the ranking.

-- id, type, name, neighbours, what it gives
local plan = {
  { 1, "ClassStart", "Witch", { 10, 20 }, {} },
  { 2, "ClassStart", "Marauder", { 30 }, {} },
  { 10, "Normal", "Spell Damage", { 1, 11 }, { inc = 8 } },
  { 11, "Normal", "Spell Damage", { 10, 12, 40 }, { inc = 8 } },
  { 12, "Notable", "Deep Thoughts", { 11, 13 }, { inc = 20, mana = 40 } },
  { 13, "Keystone", "Glass Bones", { 12 }, { inc = 50, life = -100 } },
  { 20, "Normal", "Life", { 1, 21 }, { life = 10 } },
  { 21, "Notable", "Hearty", { 20, 30, 43 }, { life = 40 } },
  { 43, "Normal", "Quicksand for compilers", { 21 }, { life = 15, crash = 1 } },
  { 30, "Normal", "Strength", { 2, 21 }, { str = 10 } },
  { 40, "Mastery", "Spell Mastery", { 11 }, {}, { { effect = 100 }, { effect = 101 } } },
  { 41, "Normal", "Distant", { 42 }, { life = 5 } },
  { 42, "Normal", "Distant", { 41 }, { life = 5 } },
}
-- Allocating one of these misbehaves.
local faults = {
  [9001] = function() os.exit(9) end,
  [9002] = function() while true do end end,
  [9003] = function() error("the engine has a defect") end,
  [9004] = function()
    local hoard = {}
    for i = 1, 1e6 do hoard[i] = ("x"):rep(1e6) .. i end
  end,
  [9005] = function()
    local hoard, program = {}, "local sum = 0; for i = 1, 100 do sum = sum + %d end; return sum"
    for i = 1, 1e6 do
      hoard[i] = { ("x"):rep(1e5) .. i, loadstring(program:format(i)) }
      hoard[i][2]()
    end
  end,
}
for id in pairs(faults) do plan[#plan + 1] = { id, "Fault", "Fault", { 1 }, {} } end
-- A wide field beside the marauder, for the ranking: each of its nodes takes a while to calculate, as real ones do.
local field, field_size = 1000, 200
plan[#plan + 1] = { field, "Normal", "Field", { 2 }, {} }
for i = 1, field_size do
  plan[#plan + 1] = { field + i, "Normal", "Furrow " .. i, { field }, { inc = i * 7 % 31, toil = 1 } }
end
plan[#plan + 1] = { field + field_size + 1, "Normal", "Bog without a ground", { field + 1 }, { endless = 1 } }
local classes = {
  [0] = { name = "Scion", startNodeId = 1, classes = { [0] = { name = "None" } } },
  [1] = { name = "Marauder", startNodeId = 2, classes = { [0] = { name = "None" } } },
  [3] = { name = "Witch", startNodeId = 1, classes = { [0] = { name = "None" }, [1] = { name = "Occultist" } } },
}

local spec_methods = {}
spec_methods.__index = spec_methods

local extra = {}

local function new_spec(version)
  local spec = setmetatable({ treeVersion = version, allocNodes = {}, nodes = {}, masterySelections = {}, hashOverrides = {}, jewels = {} }, spec_methods)
  spec.tree = { classes = classes, alternate_ascendancies = { { name = "Warden" } }, notableMap = {} }
  local plan = extra[1] and extra or plan
  for _, row in ipairs(plan) do
    local place = row.place or {}
    spec.nodes[row[1]] = {
      id = row[1], type = row[2], dn = row[3], gives = row[5], linked = {}, depends = {}, masteryEffects = row[6], sd = {},
      x = place.x or row[1] * 10, y = place.y or row[1] % 7 * 20, group = place.group, o = place.group and 1,
    }
    for name, value in pairs(row[5]) do table.insert(spec.nodes[row[1]].sd, ("%+d %s"):format(value, name)) end
    table.sort(spec.nodes[row[1]].sd)
    if row[2] == "Notable" then spec.tree.notableMap[row[3]:lower()] = spec.nodes[row[1]] end
  end
  for _, row in ipairs(plan) do
    for _, other in ipairs(row[4]) do
      table.insert(spec.nodes[row[1]].linked, spec.nodes[other])
      if faults[row[1]] or row[1] >= field and row[1] <= field + field_size + 1 then
        table.insert(spec.nodes[other].linked, spec.nodes[row[1]])
      end
    end
  end
  spec:choose(0, 0)
  return spec
end

function spec_methods:choose(classId, ascendClassId)
  local class = classes[classId] or classes[0]
  self.curClassId, self.curClass, self.curClassName = classId, class, class.name
  self.curAscendClassId = ascendClassId
  self.curAscendClassName = (class.classes[ascendClassId] or class.classes[0]).name
  self.curSecondaryAscendClassId = 0
end

function spec_methods:SelectClass(id)
  self:import(id, 0, 0, {}, {}, {})
end

function spec_methods:SelectAscendClass(id)
  self:choose(self.curClassId, id)
end

function spec_methods:CreateUndoState()
  local nodes = {}
  for id in pairs(self.allocNodes) do nodes[#nodes + 1] = id end
  return { class = self.curClassId, ascendancy = self.curAscendClassId, nodes = nodes, masteries = self.masterySelections }
end

function spec_methods:RestoreUndoState(state)
  self:import(state.class, state.ascendancy, 0, state.nodes, {}, state.masteries)
end

local function reachable(spec, start, skip)
  local seen, queue = { [start] = true }, { start }
  for node in function() return table.remove(queue, 1) end do
    for _, other in ipairs(node.linked) do
      if other.alloc and other ~= skip and not seen[other] then
        seen[other] = true
        queue[#queue + 1] = other
      end
    end
  end
  return seen
end

-- Nodes that hang in the air fall; the others learn their paths and what depends on them.
function spec_methods:settle()
  local start = self.nodes[self.curClass.startNodeId]
  start.alloc, self.allocNodes[start.id] = true, start
  local connected = reachable(self, start)
  for id, node in pairs(self.allocNodes) do
    if not connected[node] then node.alloc, self.allocNodes[id] = false, nil end
  end
  for _, node in pairs(self.nodes) do
    node.depends = {}
    if node.alloc and node ~= start then
      local left = reachable(self, start, node)
      for _, other in pairs(self.allocNodes) do
        if not left[other] then table.insert(node.depends, other) end
      end
    end
    node.path = nil
  end
  local queue = {}
  for _, node in pairs(self.allocNodes) do
    node.path = {}
    queue[#queue + 1] = node
  end
  table.sort(queue, function(a, b) return a.id < b.id end)
  for node in function() return table.remove(queue, 1) end do
    for _, other in ipairs(node.linked) do
      if not other.path and other.type ~= "ClassStart" then
        other.path = { other, unpack(node.path) }
        queue[#queue + 1] = other
      end
    end
  end
end

function spec_methods:import(classId, ascendClassId, secondaryAscendClassId, hashList, hashOverrides, masteryEffects, treeVersion)
  if treeVersion then self.treeVersion = treeVersion end
  for id, node in pairs(self.nodes) do node.alloc, self.allocNodes[id] = false, nil end
  self:choose(classId, ascendClassId)
  self.hashOverrides, self.masterySelections = hashOverrides, {}
  for id, effect in pairs(masteryEffects) do self.masterySelections[id] = effect end
  for _, id in ipairs(hashList) do
    local node = self.nodes[id]
    if node and (node.type ~= "Mastery" or self.masterySelections[id]) then
      node.alloc, self.allocNodes[id] = true, node
    end
  end
  self:settle()
end

function spec_methods:ImportFromNodeList(classId, ascendClassId, secondaryAscendClassId, hashList, hashOverrides, masteryEffects, treeVersion)
  self:import(classId, ascendClassId, secondaryAscendClassId, hashList, hashOverrides, masteryEffects, treeVersion)
end

-- Newer checkouts take the name of the class before its number.
if newer then
  function spec_methods:ImportFromNodeList(className, classId, ascendClassId, secondaryAscendClassId, hashList, hashOverrides, masteryEffects, treeVersion)
    assert(className == classes[classId].name, "no class of that name")
    self:import(classId, ascendClassId, secondaryAscendClassId, hashList, hashOverrides, masteryEffects, treeVersion)
  end
end

-- A tree of a test's own in place of this one: lines like `5 Normal 2,4 inc=3 life=-1`, each with what it gives, linked both ways; and
-- perhaps `at 100 -20 around 0 0` for its place and the middle of its group, and a name in quotes.
local function replace(text)
  for at in ipairs(extra) do extra[at] = nil end
  if not text then return end
  extra[1], extra[2] = { 1, "ClassStart", "Witch", {}, {}, place = { x = 0, y = 0 } }, { 2, "ClassStart", "Marauder", {}, {}, place = { x = 0, y = 0 } }
  local groups = {}
  for id, kind, links, rest in text:gmatch("(%d+) (%a+) ([%d,]+)([^\n]*)") do
    local row = { tonumber(id), kind, "Node " .. id, {}, {} }
    for link in links:gmatch("%d+") do table.insert(row[4], tonumber(link)) end
    for name, value in rest:gmatch("(%a+)=(-?%d+)") do row[5][name] = tonumber(value) end
    local x, y = rest:match("at (%-?%d+) (%-?%d+)")
    local cx, cy = rest:match("around (%-?%d+) (%-?%d+)")
    if x then
      row.place = { x = tonumber(x), y = tonumber(y) }
      local key = cx and cx .. " " .. cy
      if key then
        groups[key] = groups[key] or { x = tonumber(cx), y = tonumber(cy) }
        row.place.group = groups[key]
      end
    end
    row[3] = rest:gsub("&quot;", '"'):match('"([^"]*)"') or row[3]
    extra[#extra + 1] = row
  end
  local by_id = {}
  for _, row in ipairs(extra) do by_id[row[1]] = row end
  for at = 3, #extra do
    for _, link in ipairs(extra[at][4]) do
      local other, known = by_id[link], false
      for _, each in ipairs(other[4]) do known = known or each == extra[at][1] end
      if not known then table.insert(other[4], extra[at][1]) end
    end
  end
end

return { new_spec = new_spec, faults = faults, replace = replace }
