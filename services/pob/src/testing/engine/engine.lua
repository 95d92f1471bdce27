-- A calculator with the outside of Path of Building. See README.md for what it is for and which traps it lays.

treeVersionList = { "3_27", "3_28" }
latestTreeVersion = "3_28"

launch = { versionNumber = "0.0.1-test" }
main = { mode = "LIST", popups = {}, modes = {} }
function main:ClosePopup() table.remove(self.popups, 1) end

local cache = {}
function wipeGlobalCache() cache = {} end

-- id, type, name, neighbours, what it gives
local plan = {
  { 1, "ClassStart", "Witch", { 10, 20 }, {} },
  { 2, "ClassStart", "Marauder", { 30 }, {} },
  { 10, "Normal", "Spell Damage", { 1, 11 }, { inc = 8 } },
  { 11, "Normal", "Spell Damage", { 10, 12, 40 }, { inc = 8 } },
  { 12, "Notable", "Deep Thoughts", { 11, 13 }, { inc = 20, mana = 40 } },
  { 13, "Keystone", "Glass Bones", { 12 }, { inc = 50, life = -100 } },
  { 20, "Normal", "Life", { 1, 21 }, { life = 10 } },
  { 21, "Notable", "Hearty", { 20, 30 }, { life = 40 } },
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
local function toil(rounds)
  local sum = 0
  for i = 1, rounds * 150000 do sum = (sum * 31 + i) % 65537 end
  return sum
end
local mastery_effects = { [100] = { mana = 25 }, [101] = { inc = 12 } }

local classes = {
  [0] = { name = "Scion", startNodeId = 1, classes = { [0] = { name = "None" } } },
  [1] = { name = "Marauder", startNodeId = 2, classes = { [0] = { name = "None" } } },
  [3] = { name = "Witch", startNodeId = 1, classes = { [0] = { name = "None" }, [1] = { name = "Occultist" } } },
}

local spec_methods = {}
spec_methods.__index = spec_methods

local function new_spec(version)
  local spec = setmetatable({ treeVersion = version, allocNodes = {}, nodes = {}, masterySelections = {}, hashOverrides = {}, jewels = {} }, spec_methods)
  spec.tree = { classes = classes, alternate_ascendancies = { { name = "Warden" } } }
  for _, row in ipairs(plan) do
    spec.nodes[row[1]] = { id = row[1], type = row[2], dn = row[3], gives = row[5], linked = {}, depends = {}, masteryEffects = row[6], x = row[1] * 10, y = row[1] % 7 * 20 }
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

local function item_gives(text)
  local gives = {}
  gives.life = tonumber(text:match("%+(%d+) to maximum Life")) or 0
  gives.inc = tonumber(text:match("(%d+)%% increased Spell Damage")) or 0
  return gives
end

local bases = { ["Driftwood Wand"] = "^Weapon", ["Rusted Helmet"] = "^Helmet" }
function new(kind, text)
  assert(kind == "Item")
  local lines = {}
  for line in text:gmatch("[^\n]+") do lines[#lines + 1] = line:match("^%s*(.-)%s*$") end
  local base = bases[lines[3]] and lines[3] or bases[lines[2]] and lines[2]
  return { raw = text, name = lines[2], baseName = base, base = base and { type = base }, rarity = (lines[1] or ""):match("Rarity: (%u+)"), gives = item_gives(text) }
end

local gem_damage = { Arc = 30, Spark = 25, ["Added Lightning Damage"] = 12 }

-- Everything together: sums, and one lie that only a wiped cache avoids.
local function calculate(build, nodes)
  local total = { life = 38 + 12 * build.characterLevel, mana = 34 + 6 * build.characterLevel, inc = 0, str = 14 }
  local function take(gives)
    for name, value in pairs(gives) do total[name] = (total[name] or 0) + value end
  end
  for _, node in pairs(nodes) do
    if faults[node.id] then faults[node.id]() end
    take(node.gives)
    local effect = node.type == "Mastery" and mastery_effects[build.spec.masterySelections[node.id]]
    if effect then take(effect) end
  end
  for _, slot in ipairs(build.itemsTab.orderedSlots) do
    local item = build.itemsTab.items[slot.selItemId]
    if item then take(item.gives) elseif slot.slotName == "Weapon 1" then cache.unarmed = true end
  end
  while total.endless do end
  if total.toil then toil(total.toil) end
  local damage = 0
  local group = build.skillsTab.socketGroupList[build.mainSocketGroup]
  for _, gem in ipairs(group and group.gemList or {}) do
    if gem.enabled then damage = damage + (gem_damage[gem.nameSpec] or 0) * gem.level / 10 end
  end
  local boss = build.configTab.modList.enemyIsBoss == "Pinnacle" and 0.5 or 1
  local dps = cache.dps or damage * (1 + total.inc / 100) * boss
  cache.dps = dps
  local output = {
    Life = total.life, Mana = total.mana, Str = total.str, SpellDamageInc = total.inc,
    TotalDPS = dps, CombinedDPS = dps, TotalEHP = total.life / 0.97, FireResist = -60, IsTest = true,
    Infinite = math.huge, SkillDPS = {}, ReqStrItem = function() end, Minion = { Life = 7 },
  }
  output.SkillDPS.again = output
  return output
end

local function attributes(tag)
  local found = {}
  for name, value in tag:gmatch('([%w_]+)="([^"]*)"') do
    found[name] = value:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&")
  end
  return found
end

local function unescape(text)
  return (text:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&apos;", "'"):gsub("&amp;", "&"))
end

local function escape(text)
  return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;"))
end

local function tabs(build)
  build.calcsTab = {
    BuildOutput = function(tab)
      tab.mainOutput = calculate(build, build.spec.allocNodes)
      tab.mainEnv = { player = { output = tab.mainOutput, mainSkill = { skillFlags = { spell = true } } } }
    end,
    GetMiscCalculator = function()
      local base = calculate(build, build.spec.allocNodes)
      return function(override)
        local nodes = {}
        for id, node in pairs(build.spec.allocNodes) do
          if not (override.removeNodes and override.removeNodes[node]) then nodes[id] = node end
        end
        for node in pairs(override.addNodes or {}) do nodes[node.id] = node end
        return calculate(build, nodes)
      end, base
    end,
  }
  local items = { items = {}, orderedSlots = {}, slots = {} }
  for i, name in ipairs({ "Weapon 1", "Helmet" }) do
    local slot = { slotName = name, selItemId = 0, SetSelItemId = function(self, id) self.selItemId = id end }
    items.orderedSlots[i], items.slots[name] = slot, slot
  end
  function items:IsItemValidForSlot(item, name) return name:match(bases[item.baseName]) ~= nil end
  function items:AddItem(item)
    item.id = #self.items + 1
    self.items[item.id] = item
  end
  function items:PopulateSlots()
    for _, slot in ipairs(self.orderedSlots) do
      local item = self.items[slot.selItemId]
      if not item or not item.base or not self:IsItemValidForSlot(item, slot.slotName) then slot.selItemId = 0 end
    end
  end
  build.itemsTab = items
  build.skillsTab = { socketGroupList = {} }
  function build.skillsTab:ProcessSocketGroup(group)
    for _, gem in ipairs(group.gemList) do
      gem.errMsg = not gem_damage[gem.nameSpec] and "Unrecognised gem name '" .. gem.nameSpec .. "'" or nil
    end
  end
  local bosses = { list = { { val = "None" }, { val = "Pinnacle" } } }
  build.configTab = { input = {}, varControls = { enemyIsBoss = bosses, enemyLevel = {} }, modList = {} }
  function build.configTab:BuildModList()
    self.modList = {}
    for name, value in pairs(self.input) do self.modList[name] = value end
  end
end

build = {
  displayStats = {
    { stat = "TotalDPS", label = "Hit DPS by attacks", fmt = ".1f", flag = "attack" },
    { stat = "TotalDPS", label = "Hit DPS by traps", fmt = ".1f", flag = "spell", condFunc = function(value) return value < 0 end },
    { stat = "TotalDPS", label = "Hit DPS by spells", fmt = ".1f", flag = "spell", notFlag = "attack" },
    { stat = "Life", label = "Total Life", fmt = "d" },
    { stat = "Life", childStat = "Gone", label = "Life of a hand", fmt = "d" },
    { stat = "FireResist", label = "Fire Resistance", fmt = "d%%", condFunc = function() error("no") end },
    { label = "A line" }, {},
  },
}
main.modes.BUILD = build
local spoilt = false

local function refuse(message)
  spoilt = true
  launch.promptMsg = "^1Error:\n\n" .. message
end

local function read_build(text)
  local head = attributes(text:match("<Build[%s>][^>]*") or "")
  build.targetVersion, build.mainSocketGroup = head.targetVersion, tonumber(head.mainSocketGroup) or 1
  build.characterLevel = tonumber(head.level) or 1
  local tree = attributes(text:match("<Spec%s[^>]*") or "")
  build.spec = new_spec(tree.treeVersion or latestTreeVersion)
  tabs(build)
  local nodes, masteries = {}, {}
  for id in (tree.nodes or ""):gmatch("%d+") do nodes[#nodes + 1] = tonumber(id) end
  for id, effect in (tree.masteryEffects or ""):gmatch("{(%d+),(%d+)}") do masteries[tonumber(id)] = tonumber(effect) end
  for tag, body in text:gmatch("<Skill(%s[^>]*)>(.-)</Skill>") do
    local group = { slot = attributes(tag).slot, label = attributes(tag).label, enabled = true, gemList = {} }
    for gem in body:gmatch("<Gem%s[^>]*") do
      local found = attributes(gem)
      table.insert(group.gemList, { nameSpec = found.nameSpec, level = tonumber(found.level) or 1, quality = tonumber(found.quality) or 0, enabled = found.enabled ~= "false" })
    end
    table.insert(build.skillsTab.socketGroupList, group)
  end
  for tag, body in text:gmatch("<Item(%s[^>]*)>(.-)</Item>") do
    local item = new("Item", unescape(body))
    item.id = tonumber(attributes(tag).id)
    build.itemsTab.items[item.id] = item
  end
  for tag in text:gmatch("<Slot%s[^>]*") do
    local found = attributes(tag)
    local slot = build.itemsTab.slots[found.name]
    if slot then slot.selItemId = tonumber(found.itemId) or 0 end
  end
  build.itemsTab:PopulateSlots()
  for tag in text:gmatch("<Input%s[^>]*") do
    local found = attributes(tag)
    build.configTab.input[found.name] = found.string or tonumber(found.number) or found.boolean == "true"
  end
  build.configTab:BuildModList()
  build.spec:import(tonumber(tree.classId) or 0, tonumber(tree.ascendClassId) or 0, 0, nodes, {}, masteries)
end

function loadBuildFromXML(text, name)
  main.mode, build.buildName, build.viewMode = "BUILD", name, "TREE"
  if not text:find("<PathOfBuilding>", 1, true) or not text:find("</PathOfBuilding>", 1, true) then
    return refuse("Error parsing 'Unnamed build': 'PathOfBuilding' root element missing")
  end
  if text:find("UNLOADABLE", 1, true) then return refuse("this build has a part that cannot be read") end
  if cache.unarmed and text:find("Driftwood Wand", 1, true) then
    read_build(text)
    function build.calcsTab.BuildOutput() error("bad argument #2 to 'max' (number expected, got nil)") end
    return refuse("In 'OnFrame': bad argument #2 to 'max'")
  end
  read_build(text)
  if text:find("INCALCULABLE", 1, true) then
    function build.calcsTab.BuildOutput() error("bad argument #2 to 'max' (number expected, got nil)") end
    return refuse("In 'OnFrame': bad argument #2 to 'max'")
  end
  build.calcsTab:BuildOutput()
  if spoilt then build.calcsTab.mainOutput.Life = -1 end
end

function build:SaveDB()
  local out = { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PathOfBuilding>" }
  local function add(...) out[#out + 1] = string.format(...) end
  local spec, nodes, masteries = self.spec, {}, {}
  for id in pairs(spec.allocNodes) do nodes[#nodes + 1] = id end
  table.sort(nodes)
  for id, effect in pairs(spec.masterySelections) do masteries[#masteries + 1] = "{" .. id .. "," .. effect .. "}" end
  add('<Build level="%d" targetVersion="3_0" className="%s" ascendClassName="%s" mainSocketGroup="%d"/>', self.characterLevel, spec.curClassName, spec.curAscendClassName, self.mainSocketGroup)
  add('<Tree activeSpec="1"><Spec treeVersion="%s" classId="%d" ascendClassId="%d" nodes="%s" masteryEffects="%s"/></Tree>', spec.treeVersion, spec.curClassId, spec.curAscendClassId, table.concat(nodes, ","), table.concat(masteries, ","))
  add('<Skills><SkillSet id="1">')
  for _, group in ipairs(self.skillsTab.socketGroupList) do
    add('<Skill enabled="true" slot="%s">', group.slot or "")
    for _, gem in ipairs(group.gemList) do
      local id = gem_damage[gem.nameSpec] and string.format(' gemId="Gem/%s"', gem.nameSpec) or ""
      add('<Gem nameSpec="%s"%s level="%d" quality="%d" enabled="%s"/>', escape(gem.nameSpec), id, gem.level, gem.quality, tostring(gem.enabled))
    end
    add("</Skill>")
  end
  add('</SkillSet></Skills><Items activeItemSet="1">')
  for id, item in pairs(self.itemsTab.items) do add('<Item id="%d">%s</Item>', id, escape(item.raw)) end
  add('<ItemSet id="1">')
  for _, slot in ipairs(self.itemsTab.orderedSlots) do add('<Slot name="%s" itemId="%d"/>', slot.slotName, slot.selItemId) end
  add("</ItemSet></Items><Config>")
  for name, value in pairs(self.configTab.input) do add('<Input name="%s" %s="%s"/>', name, type(value) == "number" and "number" or type(value) == "boolean" and "boolean" or "string", tostring(value)) end
  add("</Config></PathOfBuilding>")
  return table.concat(out)
end
