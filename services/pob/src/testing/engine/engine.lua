-- A calculator with the outside of Path of Building. See README.md for what it is for and which traps it lays.

treeVersionList = { "3_27", "3_28" }
latestTreeVersion = "3_28"

launch = { versionNumber = "0.0.1-test" }
main = { mode = "LIST", popups = {}, modes = {} }
function main:ClosePopup() table.remove(self.popups, 1) end

local cache = {}
function wipeGlobalCache() cache = {} end

local passives = dofile("../../tree.lua")
local new_spec, faults = passives.new_spec, passives.faults
function main:LoadTree(version) return new_spec(version).tree end

local function toil(rounds)
  local sum = 0
  for i = 1, rounds * 150000 do sum = (sum * 31 + i) % 65537 end
  return sum
end
local mastery_effects = { [100] = { mana = 25 }, [101] = { inc = 12 } }

local kinds_of_items = dofile("../../items.lua")
local bases, read_item = kinds_of_items.bases, kinds_of_items.read

local gem_damage = { Arc = 30, Spark = 25, ["Added Lightning Damage"] = 12, ["Melee Physical Damage"] = 0 }
local supports = { ["Added Lightning Damage"] = true, ["Melee Physical Damage"] = false }

-- Everything together: sums, and one lie that only a wiped cache avoids.
local function calculate(build, nodes)
  local total = { life = 38 + 12 * build.characterLevel, mana = 34 + 6 * build.characterLevel, inc = 0, str = 14, brave = 0, shown = 0, immune = 0, cursed = 0 }
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
    for _, mod in ipairs(item and item.enchantModLines or {}) do
      take(build.spec.tree.notableMap[mod.line:match("Allocates (.+)"):lower()].gives)
    end
    if item and (slot.active or not slot.slotName:find("Flask")) then take(item.gives) elseif slot.slotName == "Weapon 1" then cache.unarmed = true end
  end
  while total.endless do end
  if total.crash and jit.status() then os.exit(11) end
  if total.toil then toil(total.toil) end
  local damage = 0
  local group = build.skillsTab.socketGroupList[build.mainSocketGroup]
  for _, gem in ipairs(group and group.gemList or {}) do
    if gem.enabled and group.enabled then damage = damage + (gem_damage[gem.nameSpec] or 0) * gem.level / 10 * (gem.skillPart or 1) end
  end
  local boss = build.configTab.modList.enemyIsBoss == "Pinnacle" and 0.5 or 1
  local output = { Life = total.life }
  local calcs = build.calcsTab.calcs
  calcs.buildDefenceEstimations({}, { output = output })
  build.shown = total.shown
  -- What Path of Building is not known to do: damage that depends on what is estimated afterwards.
  if output.TotalEHP and total.brave > 0 then total.inc = total.inc + total.brave end
  local dps = cache.dps or damage * (1 + total.inc / 100) * boss
  cache.dps = dps
  for name, value in pairs({
    Mana = total.mana, Str = total.str, SpellDamageInc = total.inc,
    TotalDPS = dps, CombinedDPS = dps, FullDPS = calcs.calcFullDPS(build, dps).combinedDPS, FireResist = -60, IsTest = true,
    ChaosMaximumHitTaken = total.cursed > 0 and 0 / 0 or total.immune > 0 and math.huge or 5000, ReqStr = 0, Infinite = math.huge, SkillDPS = {}, ReqDexItem = function() end, Minion = { Life = 7 },
  }) do output[name] = value end
  output.SkillDPS.again = output
  for _, slot in ipairs(build.itemsTab.orderedSlots) do
    local item = build.itemsTab.items[slot.selItemId]
    if item and item.requirements.str > output.ReqStr then
      output.ReqStr, output.ReqStrItem = item.requirements.str, { sourceItem = item, sourceSlot = slot.slotName }
    end
  end
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
  local calcs = {
    calcFullDPS = function(_, dps)
      local counted = 0
      for _, group in ipairs(build.skillsTab.socketGroupList) do counted = counted + (group.includeInFullDPS and 1 or 0) end
      return { combinedDPS = counted * dps, skills = {} }
    end,
    buildDefenceEstimations = function(_, actor) actor.output.TotalEHP = actor.output.Life / 0.97 end,
    buildOutput = function()
      return { player = { output = calculate(build, build.spec.allocNodes), mainSkill = { skillFlags = { spell = true } } } }
    end,
  }
  build.calcsTab = {
    calcs = calcs,
    BuildOutput = function(tab)
      tab.mainEnv = calcs.buildOutput(build, "MAIN")
      tab.mainOutput = tab.mainEnv.player.output
      wipeGlobalCache()
      tab.calcsOutput = calcs.buildOutput(build, "CALCS").player.output
      -- Nor is this: stats that are changed by the pass for the breakdowns.
      if tab.calcsOutput ~= tab.mainOutput then tab.mainOutput.TotalDPS = tab.mainOutput.TotalDPS * (1 + build.shown / 100) end
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
  for i, name in ipairs({ "Weapon 1", "Helmet", "Amulet", "Flask 1" }) do
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
  dofile("../../sets.lua")(build, new_spec)
  function build.skillsTab:ProcessSocketGroup(group)
    group.displaySkillList = {}
    for _, gem in ipairs(group.gemList) do
      if gem.nameSpec == "Ar" then gem.nameSpec = "Arc" end
      gem.errMsg = not gem_damage[gem.nameSpec] and "Unrecognised gem name '" .. gem.nameSpec .. "'" or nil
      gem.gemData = not gem.errMsg and { name = gem.nameSpec } or nil
      if gem.gemData then
        local effect = { name = gem.nameSpec, parts = gem.nameSpec == "Arc" and { { name = "One" }, { name = "All" } } or nil }
        group.displaySkillList = group.displaySkillList or {}
        table.insert(group.displaySkillList, { activeEffect = { srcInstance = gem, grantedEffect = effect } })
      end
      gem.level = math.min(gem.level, 40 - (gem.nameSpec == "Spark" and 10 or 0))
      if supports[gem.nameSpec] ~= nil then gem.supportEffect = { isSupporting = supports[gem.nameSpec] and { [group] = true } or {} } end
    end
  end
  local bosses = { list = { { val = "None" }, { val = "Pinnacle" } } }
  build.configTab = { input = {}, varControls = { enemyIsBoss = bosses, enemyLevel = {}, customMods = {}, usePowerCharges = {} }, modList = {} }
  function build.configTab:BuildModList()
    self.modList = {}
    for name, value in pairs(self.input) do self.modList[name] = value end
  end
end

function LoadModule(name)
  assert(name == "Modules/ConfigOptions")
  return {
    { section = "General" }, { var = "enemyIsBoss", type = "list", label = "Is the enemy a boss", list = { { val = "None" }, { val = "Pinnacle" } } }, { var = "enemyLevel", type = "count" },
    { var = "customMods", type = "text" }, { var = "usePowerCharges", type = "check" },
  }
end

build = {
  data = { gems = {} },
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
for name in pairs(gem_damage) do build.data.gems[name] = { name = name } end
local spoilt = false

local function refuse(message)
  spoilt = true
  launch.promptMsg = "^1Error:\n\n" .. message
end

-- What the text says of items and gems is kept, as the real one keeps it.
local function read_sections(text)
  local set, skills = { elem = "ItemSet", attrib = { id = "1" } }, { elem = "SkillSet", attrib = { id = "1" } }
  local items = { elem = "Items", set }
  for tag, body in text:gmatch("<Item(%s[^>]*)>(.-)</Item>") do table.insert(items, { elem = "Item", attrib = attributes(tag), unescape(body) }) end
  for tag in text:gmatch("<Slot%s[^>]*") do table.insert(set, { elem = "Slot", attrib = attributes(tag) }) end
  for body in text:gmatch("<Skill%s[^>]*>(.-)</Skill>") do
    local group = { elem = "Skill" }
    for gem in body:gmatch("<Gem%s[^>]*") do table.insert(group, { elem = "Gem", attrib = attributes(gem) }) end
    table.insert(skills, group)
  end
  build.xmlSectionList = { items, { elem = "Skills", skills } }
  build.itemsTab.activeItemSetId, build.skillsTab.activeSkillSetId = 1, 1
end

local function read_build(text)
  local head = attributes(text:match("<Build[%s>][^>]*") or "")
  build.targetVersion, build.mainSocketGroup = head.targetVersion, tonumber(head.mainSocketGroup) or 1
  build.characterLevel = tonumber(head.level) or 1
  local tree = attributes(text:match("<Spec%s[^>]*") or "")
  passives.replace(text:match("TREE:([^<]*)"))
  build.spec = new_spec(tree.treeVersion or latestTreeVersion)
  tabs(build)
  build.treeTab.specList[1], build.spec.title = build.spec, tree.title
  build.notesTab.controls.edit.buf = unescape(text:match("<Notes>(.-)</Notes>") or "")
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
    local item = read_item(unescape(body))
    item.id = tonumber(attributes(tag).id)
    if item.base then build.itemsTab.items[item.id] = item end
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
  read_sections(text)
  build.configTab:BuildModList()
  for _, group in ipairs(build.skillsTab.socketGroupList) do build.skillsTab:ProcessSocketGroup(group) end
  build.spec:import(tonumber(tree.classId) or 0, tonumber(tree.ascendClassId) or 0, 0, nodes, {}, masteries)
end

function loadBuildFromXML(text, name)
  io.stderr:write("loading " .. tostring(name) .. "\n")
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
  add("</Config><Notes>%s</Notes></PathOfBuilding>", escape(self.notesTab.controls.edit.buf))
  return table.concat(out)
end
