-- Changes to the loaded build other than loading it and setting its whole tree: level, nodes, items, gems and configuration. One
-- description of changes serves both the what-if and the real edit, so that what was predicted is what happens.
local parts = ...
local json, fault, session, names, notices, config = parts.json, parts.fault, parts.session, parts.names, parts.notices, parts.config
local create = parts.create
local edits = {}

local function bad(message) fault.raise("bad_change", message) end

-- Refuses a name with the one that was meant, or else with the names there are, where those are few.
local most_named = 120

local function unknown(message, typed, known)
  table.sort(known)
  local near = names.nearest(typed, known)
  if near then bad(message .. "; did you mean " .. near .. "?") end
  if #known > 0 and #known <= most_named then bad(message .. "; there are " .. table.concat(known, ", ")) end
  bad(message)
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

local function change_level(level)
  build.characterLevel = level
  build.characterLevelAutoMode = false
  build.configTab:BuildModList()
end

-- A unique without its lines gets those of Path of Building's own list, in the middle of their ranges.
local function complete(item, slot, said)
  local unique = item.rarity == "UNIQUE" or item.rarity == "RELIC"
  if not unique or #(item.explicitModLines or {}) > 0 then return item end
  local found = notices.unique(item)
  if not found then
    if item.base then return item end
    local titles = {}
    for _, known in pairs(main.uniqueDB and main.uniqueDB.list or {}) do titles[#titles + 1] = known.title end
    unknown("Path of Building has no unique " .. tostring(item.name), tostring(item.name), titles)
  end
  said[#said + 1] = {
    kind = "completed", where = slot, text = found.name,
    message = "its lines were taken from Path of Building's list of uniques, each in the middle of its range; give the lines for other rolls",
  }
  return create("Item", found:BuildRaw())
end

local function change_item(change, said)
  local tab = build.itemsTab
  local slot = tab.slots[change.slot]
  if not slot then unknown("there is no slot " .. change.slot, change.slot, names.keys(tab.slots)) end
  if not change.text then
    slot:SetSelItemId(0)
  else
    local item = complete(create("Item", change.text), change.slot, said)
    if not item.base then
      local near = notices.nearest_base(item)
      bad("the item for " .. change.slot .. " has no base that Path of Building knows" .. (near and "; did you mean " .. near .. "?" or ""))
    end
    if not tab:IsItemValidForSlot(item, change.slot) then bad("the item does not go into " .. change.slot) end
    tab:AddItem(item, true)
    slot:SetSelItemId(item.id)
  end
  tab:PopulateSlots()
end

-- The notable that oils can allocate, by its name or its number.
local function find_notable(wanted)
  local spec, known = build.spec, {}
  local by_name = spec.tree.notableMap or {}
  if type(wanted) == "number" then
    local node = spec.nodes[wanted]
    if node and node.dn and by_name[node.dn:lower()] then return node end
    bad("node " .. wanted .. " is no notable that an item can allocate")
  end
  local node = by_name[wanted:lower()]
  if node then return node end
  for _, each in pairs(by_name) do known[#known + 1] = each.dn end
  unknown("there is no notable " .. wanted .. " that an item can allocate", wanted, known)
end

-- As Path of Building's own anointing does it: the first enchantment, or the one at `place`, gives way to the new one.
local function change_anoint(change)
  local tab = build.itemsTab
  local slot = tab.slots[change.slot]
  if not slot then unknown("there is no slot " .. change.slot, change.slot, names.keys(tab.slots)) end
  local worn = tab.items[slot.selItemId]
  if not worn then bad("there is no item in " .. change.slot .. " to anoint") end
  if not (worn.canBeAnointed or worn.base and worn.base.type == "Amulet") then bad("the item in " .. change.slot .. " cannot be anointed") end
  local item, place = create("Item", worn:BuildRaw()), change.place or 1
  if place > #item.enchantModLines + 1 then bad("the item in " .. change.slot .. " has no enchantment " .. place) end
  local line = "Allocates " .. find_notable(change.node).dn
  if item.enchantModLines[place] then table.remove(item.enchantModLines, place) end
  table.insert(item.enchantModLines, place, { crafted = true, enchant = true, line = line })
  item:BuildAndParseRaw()
  tab:AddItem(item, true)
  slot:SetSelItemId(item.id)
  tab:PopulateSlots()
end

-- Finds a gem by its name as it is written in the game; Path of Building itself also takes parts of names, and may take another gem.
local function find_gem(name)
  local typed, known = name:lower():gsub(" support$", ""), {}
  for _, gem in pairs(build.data and build.data.gems or {}) do
    if gem.name:lower() == name:lower() or gem.name:lower() == typed then return gem.name end
    known[#known + 1] = gem.name
  end
  if #known == 0 then return name end
  unknown("Path of Building has no gem " .. name, typed, known)
end

local function change_gem(change, said)
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
      gem.gemId, gem.skillId, gem.gemData, gem.nameSpec = nil, nil, nil, find_gem(change.name)
    end
    gem.level = change.level or gem.level
    gem.quality = change.quality or gem.quality
    if change.enabled ~= nil then gem.enabled = change.enabled end
  end
  tab:ProcessSocketGroup(group)
  if change.remove then return end
  if gem.errMsg then bad(gem.errMsg) end
  if change.level and gem.level ~= change.level then
    said[#said + 1] = {
      kind = "read_as", where = "group " .. change.group .. ", gem " .. change.gem, text = gem.nameSpec .. " level " .. change.level,
      message = "the gem has no such level; " .. gem.level .. " is used",
    }
  end
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

-- Makes all changes, in a fixed order, and recalculates once. Notices are those that the changes brought; `before` are those that there
-- were, where they are known.
function edits.apply(changes, before)
  session.loaded()
  local said, tree = {}, nil
  before = before or notices.all(config)
  if changes.level then change_level(changes.level) end
  for _, change in ipairs(changes.items or {}) do change_item(change, said) end
  for _, change in ipairs(changes.anoints or {}) do change_anoint(change) end
  for _, change in ipairs(changes.gems or {}) do change_gem(change, said) end
  if changes.config then config.change(changes.config) end
  if changes.mainSocketGroup then
    if not build.skillsTab.socketGroupList[changes.mainSocketGroup] then bad("there is no skill group " .. changes.mainSocketGroup) end
    build.mainSocketGroup = changes.mainSocketGroup
  end
  if changes.addNodes or changes.removeNodes or changes.masteryEffects then tree = change_nodes(changes) else session.recalculate() end
  for _, notice in ipairs(notices.added(before, notices.all(config))) do said[#said + 1] = notice end
  return { dropped = tree and tree.dropped or json.list(), added = tree and tree.added or json.list(), notices = notices.shown(said) }
end

return edits
