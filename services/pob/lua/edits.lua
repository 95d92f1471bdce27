-- Changes to the loaded build other than loading it and setting its whole tree: level, nodes, items, gems and configuration. One
-- description of changes serves both the what-if and the real edit, so that what was predicted is what happens.
local json, fault, session = ...
local edits = {}

local function bad(message) fault.raise("bad_change", message) end

-- How many letters must be added, taken out or replaced to make one name the other; case does not count.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local corner = row[0]
    row[0] = i
    for j = 1, #b do
      local replaced = corner + (a:byte(i) == b:byte(j) and 0 or 1)
      corner = row[j]
      row[j] = math.min(replaced, corner + 1, row[j - 1] + 1)
    end
  end
  return row[#b]
end

-- Refuses a name with the one that was meant, or else with the names there are, where those are few.
local most_named = 120

local function unknown(message, typed, names)
  table.sort(names)
  local near, nearest = nil, math.huge
  for _, name in ipairs(names) do
    local within = math.max(1, math.floor(#name / 3))
    if math.abs(#name - #typed) <= within then
      local apart = distance(typed:lower(), name:lower())
      if apart <= within and apart < nearest then near, nearest = name, apart end
    end
  end
  if near then bad(message .. "; did you mean " .. near .. "?") end
  if #names <= most_named then bad(message .. "; there are " .. table.concat(names, ", ")) end
  bad(message)
end

local function keys(map)
  local names = {}
  for name in pairs(map) do
    if type(name) == "string" then names[#names + 1] = name end
  end
  return names
end

function edits.items()
  local tab = session.loaded().itemsTab
  local list = json.list()
  for _, slot in ipairs(tab.orderedSlots) do
    local item = tab.items[slot.selItemId]
    if item then
      list[#list + 1] = { slot = slot.slotName, name = item.name, base = item.baseName, rarity = item.rarity, text = item.raw }
    end
  end
  return { items = list }
end

function edits.skills()
  local groups = json.list()
  for index, group in ipairs(session.loaded().skillsTab.socketGroupList) do
    local gems = json.list()
    for place, gem in ipairs(group.gemList) do
      gems[place] = {
        name = gem.nameSpec, level = gem.level or 1, quality = gem.quality or 0,
        enabled = gem.enabled == true, problem = gem.errMsg,
      }
    end
    groups[index] = {
      group = index, label = group.label, slot = group.slot, enabled = group.enabled == true,
      main = index == build.mainSocketGroup, inFullDps = group.includeInFullDPS == true, gems = gems,
    }
  end
  return { groups = groups }
end

local function option(name)
  local controls = build.configTab.varControls
  local control = controls[name]
  if not control then unknown("the configuration has no option " .. name, name, keys(controls)) end
  return control
end

function edits.config()
  local tab = session.loaded().configTab
  local set = json.map()
  for name, value in pairs(tab.input) do set[name] = value end
  return { config = set }
end

local function change_config(values)
  local tab = build.configTab
  for name, value in pairs(values) do
    local control = option(name)
    if type(control.list) == "table" and value ~= json.null then
      local found, values = false, {}
      for index, entry in ipairs(control.list) do
        found, values[index] = found or entry.val == value, tostring(entry.val)
      end
      if not found then unknown("the option " .. name .. " has no value " .. tostring(value), tostring(value), values) end
    end
    if value == json.null then value = nil end
    tab.input[name] = value
  end
  -- Twice: some options set what others fall back to.
  tab:BuildModList()
  tab:BuildModList()
end

local function change_level(level)
  build.characterLevel = level
  build.characterLevelAutoMode = false
  build.configTab:BuildModList()
end

local function change_item(change)
  local tab = build.itemsTab
  local slot = tab.slots[change.slot]
  if not slot then unknown("there is no slot " .. change.slot, change.slot, keys(tab.slots)) end
  if not change.text then
    slot:SetSelItemId(0)
  else
    local item = new("Item", change.text)
    if not item.base then bad("the item for " .. change.slot .. " has no base that Path of Building knows") end
    if not tab:IsItemValidForSlot(item, change.slot) then bad("the item does not go into " .. change.slot) end
    tab:AddItem(item, true)
    slot:SetSelItemId(item.id)
  end
  tab:PopulateSlots()
end

local function change_gem(change)
  local tab = build.skillsTab
  local group = tab.socketGroupList[change.group]
  if not group then bad("there is no skill group " .. tostring(change.group)) end
  local gem = group.gemList[change.gem]
  if change.remove then
    if not gem then bad("group " .. change.group .. " has no gem " .. tostring(change.gem)) end
    table.remove(group.gemList, change.gem)
  else
    if not gem then
      if not change.name or change.gem ~= #group.gemList + 1 then
        bad("group " .. change.group .. " has no gem " .. tostring(change.gem) .. "; a new one goes to place " .. #group.gemList + 1)
      end
      gem = { nameSpec = "", level = 20, quality = 0, enabled = true, enableGlobal1 = true, enableGlobal2 = true, count = 1 }
      group.gemList[change.gem] = gem
    end
    if change.name then
      gem.gemId, gem.skillId, gem.gemData, gem.nameSpec = nil, nil, nil, change.name
    end
    gem.level = change.level or gem.level
    gem.quality = change.quality or gem.quality
    if change.enabled ~= nil then gem.enabled = change.enabled end
  end
  tab:ProcessSocketGroup(group)
  if not change.remove and gem.errMsg then bad(gem.errMsg) end
end

local function change_nodes(changes)
  local tree = session.tree()
  local nodes, gone = json.list(), {}
  for _, id in ipairs(changes.removeNodes or {}) do gone[id] = true end
  for _, id in ipairs(tree.nodes) do
    if not gone[id] then nodes[#nodes + 1] = id end
  end
  for _, id in ipairs(changes.addNodes or {}) do nodes[#nodes + 1] = id end
  for id, effect in pairs(changes.masteryEffects or {}) do tree.masteryEffects[tonumber(id)] = effect end
  tree.nodes = nodes
  return session.set_tree(tree)
end

-- Makes all changes, in a fixed order, and recalculates once.
function edits.apply(changes)
  session.loaded()
  local tree
  if changes.level then change_level(changes.level) end
  for _, change in ipairs(changes.items or {}) do change_item(change) end
  for _, change in ipairs(changes.gems or {}) do change_gem(change) end
  if changes.config then change_config(changes.config) end
  if changes.mainSocketGroup then
    if not build.skillsTab.socketGroupList[changes.mainSocketGroup] then bad("there is no skill group " .. changes.mainSocketGroup) end
    build.mainSocketGroup = changes.mainSocketGroup
  end
  if changes.addNodes or changes.removeNodes or changes.masteryEffects then tree = change_nodes(changes) else session.recalculate() end
  return { dropped = tree and tree.dropped or json.list(), added = tree and tree.added or json.list() }
end

return edits
