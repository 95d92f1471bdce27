-- Changes to the loaded build other than loading it and setting its whole tree: level, nodes, items, gems and configuration. One
-- description of changes serves both the what-if and the real edit, so that what was predicted is what happens.
local parts = ...
local json, fault, session, names, notices, config = parts.json, parts.fault, parts.session, parts.names, parts.notices, parts.config
local create, sets = parts.create, parts.sets
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

local function items()
  local tab = build.itemsTab
  local list = json.list()
  for _, slot in ipairs(tab.orderedSlots) do
    local item = tab.items[slot.selItemId]
    if item then
      local flask = slot.slotName:find("^Flask") ~= nil
      list[#list + 1] = {
        slot = slot.slotName, name = item.name, base = item.baseName, rarity = item.rarity, text = item.raw,
        active = flask and slot.active == true or nil,
      }
    end
  end
  return list
end

local function groups_of_skills()
  local groups = json.list()
  for index, group in ipairs(build.skillsTab.socketGroupList) do
    local gems = json.list()
    for place, gem in ipairs(group.gemList) do
      gems[place] = {
        name = gem.nameSpec, level = gem.level or 1, quality = gem.quality or 0,
        enabled = gem.enabled == true, problem = gem.errMsg,
      }
    end
    groups[index] = {
      group = index, label = group.label, slot = group.slot, enabled = group.enabled == true,
      main = index == build.mainSocketGroup, inFullDps = group.includeInFullDPS == true, activeSkill = group.mainActiveSkill, gems = gems,
    }
  end
  return groups
end

-- Everything that changes take, in one answer: nothing comes in between.
function edits.parts()
  session.loaded()
  return {
    items = items(), groups = groups_of_skills(), config = config.read().config, sets = sets.read(),
    notes = build.notesTab and build.notesTab.controls.edit.buf or "", notices = notices.shown(notices.all(config)),
  }
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

local function change_flask(change)
  local tab = build.itemsTab
  local slot = tab.slots[change.slot]
  if not slot or not change.slot:find("^Flask") then
    local flasks = {}
    for name in pairs(tab.slots) do
      if name:find("^Flask") then flasks[#flasks + 1] = name end
    end
    unknown("there is no slot " .. change.slot .. " for a flask", change.slot, flasks)
  end
  if not tab.items[slot.selItemId] then bad("there is no flask in " .. change.slot) end
  slot.active = change.active
  local set = tab.activeItemSet and tab.activeItemSet[change.slot]
  if set then set.active = change.active end
  if slot.controls and slot.controls.activate then slot.controls.activate.state = change.active end
end

-- The gem whose skill a group shows: what has the skill's part.
local function shown_gem(group)
  local shown = group.displaySkillList and group.displaySkillList[group.mainActiveSkill or 1]
  return shown and shown.activeEffect and shown.activeEffect.srcInstance, shown and shown.activeEffect and shown.activeEffect.grantedEffect
end

local function change_part(group, number, part)
  local gem, skill = shown_gem(group)
  if not gem then bad("group " .. number .. " has no active skill whose part could be chosen") end
  local known = {}
  for place, each in ipairs(skill and skill.parts or {}) do known[place] = place .. " (" .. tostring(each.name) .. ")" end
  if not (skill and skill.parts and skill.parts[part]) then
    bad("the active skill of group " .. number .. " has no part " .. part .. (known[1] and "; there are " .. table.concat(known, ", ") or ""))
  end
  gem.skillPart = part
end

local function change_group(change)
  local tab, number = build.skillsTab, change.group
  local group = number and tab.socketGroupList[number]
  if number and not group then bad("there is no skill group " .. number) end
  if change.remove then
    if not group then bad("a group that is removed needs its number") end
    if group.source then bad("group " .. number .. " comes with an item, and goes with it") end
    table.remove(tab.socketGroupList, number)
    if build.mainSocketGroup > 1 and build.mainSocketGroup >= number then build.mainSocketGroup = build.mainSocketGroup - 1 end
    return
  end
  if not group then
    group = { label = "", enabled = true, mainActiveSkill = 1, mainActiveSkillCalcs = 1, gemList = {} }
    table.insert(tab.socketGroupList, group)
    number = #tab.socketGroupList
  end
  if change.slot and change.slot ~= "" and not build.itemsTab.slots[change.slot] then
    unknown("there is no slot " .. change.slot, change.slot, names.keys(build.itemsTab.slots))
  end
  if change.label then group.label = change.label end
  if change.slot then group.slot = change.slot ~= "" and change.slot or nil end
  if change.enabled ~= nil then group.enabled = change.enabled end
  if change.inFullDps ~= nil then group.includeInFullDPS = change.inFullDps end
  if change.activeSkill then
    local shown = group.displaySkillList
    if shown and #shown > 0 and not shown[change.activeSkill] then
      bad("group " .. number .. " has " .. #shown .. " active skills, and no " .. change.activeSkill)
    end
    group.mainActiveSkill = change.activeSkill
  end
  if change.part then change_part(group, number, change.part) end
  tab:ProcessSocketGroup(group)
end

local function change_notes(text)
  local edit = build.notesTab and build.notesTab.controls and build.notesTab.controls.edit
  if not edit then fault.raise("unsupported", "this checkout has no notes") end
  if edit.SetText then edit:SetText(text) else edit.buf = text end
  build.notesTab.lastContent = edit.buf
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
  for _, change in ipairs(changes.sets or {}) do sets.change(change) end
  if changes.level then change_level(changes.level) end
  for _, change in ipairs(changes.items or {}) do change_item(change, said) end
  for _, change in ipairs(changes.anoints or {}) do change_anoint(change) end
  for _, change in ipairs(changes.flasks or {}) do change_flask(change) end
  for _, change in ipairs(changes.groups or {}) do change_group(change) end
  for _, change in ipairs(changes.gems or {}) do change_gem(change, said) end
  if changes.notes then change_notes(changes.notes) end
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
