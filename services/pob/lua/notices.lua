-- What Path of Building does not use of the loaded build as the build says it: lines that it does not understand, items and gems that
-- it does not know, supports that support nothing, requirements that are not met, options that it ignores. It computes without them
-- and says nothing, so its numbers would be believed.
--
-- Only reads; what can be refused is refused in `edits.lua`.
local json, names, create = ...
local notices = {}

-- Most that one answer holds, and most for which the nearest known line is looked for.
local most, most_searched = 200, 40

local function add(list, kind, notice)
  notice.kind = kind
  list[#list + 1] = notice
end

local line_lists = {
  "classRequirementModLines", "buffModLines", "enchantModLines", "scourgeModLines", "implicitModLines", "explicitModLines", "crucibleModLines",
}

local function bare(line)
  return (line:gsub("%b{}", ""):gsub(" %(%l+%)$", ""):gsub("^%s+", ""):gsub("%s+$", ""))
end

-- Lines that are no modifiers: properties, requirements, sections and notes.
local function is_property(line)
  return line:find("^[%a %(%)]+:") ~= nil or line:find("^Requires ") ~= nil or line:find("^%-%-%-%-") ~= nil or line:find("^[%({]") ~= nil
end

-- Path of Building drops some lines while it reads an item. One with a number in it is likely to be meant.
local function dropped_lines(item)
  local read, dropped = {}, {}
  for _, name in ipairs(line_lists) do
    for _, mod in ipairs(item[name] or {}) do
      for part in mod.line:gmatch("[^\n]+") do read[bare(part)] = true end
    end
  end
  for index, line in ipairs(item.rawLines or {}) do
    local text = bare(line)
    if index > 2 and text:find("%d") and not is_property(line) and not text:find("%d%(%-?%d") and not read[text] and not (item.baseName or ""):find(text, 1, true) then
      local parsed, rest = modLib.parseMod(text)
      if not parsed or rest then dropped[#dropped + 1] = text end
    end
  end
  return dropped
end

local ignored = "Path of Building does not understand this line and computes without it"

-- Where only some words of a line are not understood, it says which, and how the line would be read without them.
local function unknown_line(list, where, line, rest)
  local notice = { where = where, text = line, message = ignored }
  -- A line is also tried together with the next one, and then the rest is that of both.
  if rest and not line:find(rest:match("^%s*(.-)%s*$"), 1, true) then rest = select(2, modLib.parseMod(line)) end
  rest = rest and rest:match("^%s*(.-)%s*$")
  local from, to = line:find(rest ~= "" and rest or line, 1, true)
  if from and rest ~= line then
    local other = (line:sub(1, from - 1) .. line:sub(to + 1)):gsub("%s+", " "):match("^%s*(.-)%s*$")
    local parsed, left = modLib.parseMod(other)
    notice.message = 'Path of Building does not understand "' .. rest .. '" in this line and computes without the line'
    if parsed and not left then notice.nearest = other end
  end
  add(list, "unknown_line", notice)
end

-- `where` is the slot or the socket that holds the item.
function notices.of_item(list, where, item)
  for _, name in ipairs(line_lists) do
    for _, mod in ipairs(item[name] or {}) do
      if mod.extra and (not item.CheckModLineVariant or item:CheckModLineVariant(mod)) then
        unknown_line(list, where, mod.line, mod.extra)
      end
    end
  end
  for _, line in ipairs(dropped_lines(item)) do unknown_line(list, where, line) end
  local said = item.raw and item.raw:match("^%s*Rarity: (%a+)") or item.raw and item.raw:match("\nRarity: (%a+)")
  if said and said:upper() ~= item.rarity and item.rarity ~= "RELIC" then
    add(list, "unknown_line", { where = where, text = "Rarity: " .. said, message = "there is no such rarity; it is read as " .. item.rarity })
  end
  if (item.rarity == "UNIQUE" or item.rarity == "RELIC") and #(item.explicitModLines or {}) == 0 and notices.unique(item) then
    add(list, "unique_without_lines", {
      where = where, text = item.name or "?",
      message = "it has none of the lines of this unique, so it counts as its base; luaApply with its name completes it",
    })
  end
end

-- The unique of that name in Path of Building's own list that has lines; by its title alone where the base is not known.
function notices.unique(item)
  local known = main.uniqueDB and main.uniqueDB.list or {}
  local found = known[item.name]
  if not found then
    local title = item.title or item.name
    for _, name in ipairs(names.keys(known)) do
      if known[name].title == title and (not item.baseName or known[name].baseName == item.baseName) then found = known[name] break end
    end
  end
  return found and #(found.explicitModLines or {}) > 0 and found or nil
end

local function worn(tab)
  local list, at = {}, 0
  for _, slot in ipairs(tab.orderedSlots) do
    local item = tab.items[slot.selItemId]
    local unused = slot.nodeId and not build.spec.allocNodes[slot.nodeId]
    if item and not unused then list[#list + 1] = { where = slot.slotName, item = item } end
  end
  return function()
    at = at + 1
    return list[at] and list[at].where, list[at] and list[at].item
  end
end

function notices.nearest_gem(name)
  local known = {}
  for _, gem in pairs(build.data and build.data.gems or {}) do known[#known + 1] = gem.name end
  table.sort(known)
  return names.nearest(name, known)
end

local function of_gems(list)
  for number, group in ipairs(build.skillsTab.socketGroupList) do
    local on = group.enabled and group.slotEnabled ~= false and not group.source
    for place, gem in ipairs(group.gemList) do
      local where, support = "group " .. number .. ", gem " .. place, gem.supportEffect
      if gem.errMsg then
        add(list, "unknown_gem", { where = where, text = gem.nameSpec or "", message = gem.errMsg .. "; it counts for nothing", nearest = notices.nearest_gem(gem.nameSpec or "") })
      elseif on and gem.enabled and support and support.superseded then
        add(list, "unused_support", { where = where, text = gem.nameSpec, message = "another support of the same kind is used instead" })
      elseif on and gem.enabled and support and type(support.isSupporting) == "table" and not next(support.isSupporting) then
        add(list, "unused_support", { where = where, text = gem.nameSpec, message = "it supports no skill that it is linked to, so it counts for nothing" })
      end
    end
  end
end

local as_if = "; Path of Building computes as if it were met"

local function needs_level(list, where, name, level)
  if type(level) == "number" and level > build.characterLevel then
    add(list, "requirement", {
      where = where, text = name,
      message = "it needs level " .. level .. " and the character is level " .. build.characterLevel .. as_if,
    })
  end
end

local attributes = { Str = "Strength", Dex = "Dexterity", Int = "Intelligence", Omni = "Omniscience" }

-- The attributes come from an output, so that those of a what-if can be looked at as well.
function notices.of_attributes(list, output)
  for _, short in ipairs({ "Str", "Dex", "Int", "Omni" }) do
    local needed, present = output["Req" .. short], output[short]
    if type(needed) == "number" and needed > (present or 0) then
      local source = output["Req" .. short .. "Item"]
      source = type(source) == "table" and source or {}
      local name = source.sourceItem and source.sourceItem.name or source.sourceGem and source.sourceGem.nameSpec
      add(list, "requirement", {
        where = source.sourceSlot or "attributes", text = name or attributes[short],
        message = ("it needs %d %s and the character has %d"):format(needed, attributes[short], present or 0) .. as_if,
      })
    end
  end
end

local function of_levels(list)
  for where, item in worn(build.itemsTab) do needs_level(list, where, item.name, item.requirements and item.requirements.level) end
  for number, group in ipairs(build.skillsTab.socketGroupList) do
    if group.enabled and group.slotEnabled ~= false and not group.source then
      for place, gem in ipairs(group.gemList) do
        if gem.enabled then needs_level(list, "group " .. number .. ", gem " .. place, gem.nameSpec, gem.reqLevel) end
      end
    end
  end
end

function notices.of_nodes(list, nodes)
  local ids = {}
  for id in pairs(nodes) do ids[#ids + 1] = id end
  table.sort(ids)
  for _, id in ipairs(ids) do
    local node = nodes[id]
    for index, line in ipairs(node.sd or {}) do
      local mod = node.mods and node.mods[index]
      if type(mod) == "table" and mod.extra and line ~= " " then
        unknown_line(list, "node " .. id .. " (" .. tostring(node.dn) .. ")", line, mod.extra)
      end
    end
  end
end

local function of_custom(list, text)
  local at = 0
  for line in (tostring(text) .. "\n"):gmatch("([^\n]*)\n") do
    at = at + 1
    local stripped = line:gsub("%^x%x%x%x%x%x%x", ""):gsub("%^%d", ""):gsub("^[%s?]+", ""):gsub("[%s?]+$", "")
    if stripped ~= "" then
      local parsed, rest = modLib.parseMod(stripped)
      if not parsed or rest then
        unknown_line(list, "customMods, line " .. at, stripped, rest)
      end
    end
  end
end

local function sections(name)
  for _, section in ipairs(build.xmlSectionList or {}) do
    if section.elem == name then return section end
  end
  return {}
end

-- The items of the text that were not taken over, for they have no known base.
local function lost_items(section)
  local lost = {}
  for _, node in ipairs(section) do
    local id = node.elem == "Item" and tonumber(node.attrib.id)
    if id and not build.itemsTab.items[id] and type(node[1]) == "string" then lost[id] = create("Item", node[1]) end
  end
  return lost
end

local function of_slots(list)
  local tab, section = build.itemsTab, sections("Items")
  local lost = lost_items(section)
  for _, set in ipairs(section) do
    local active = set.elem == "ItemSet" and tonumber(set.attrib.id) == tab.activeItemSetId
    for _, node in ipairs(active and set or {}) do
      local id = node.elem == "Slot" and tonumber(node.attrib.itemId) or 0
      local slot = tab.slots[node.attrib and node.attrib.name or ""]
      if lost[id] then
        add(list, "unknown_base", {
          where = node.attrib.name, text = lost[id].name or "?", message = "its base is not known, so the slot is empty",
          nearest = notices.nearest_base(lost[id]),
        })
      elseif slot and tab.items[id] and slot.selItemId == 0 then
        add(list, "unused_item", { where = slot.slotName, text = tab.items[id].name, message = "it does not go into this slot, so the slot is empty" })
      end
    end
  end
end

-- Path of Building takes the name of a gem for a part of any other, and so another gem.
local function of_gem_names(list)
  local section, groups = sections("Skills"), {}
  for _, set in ipairs(section) do
    if set.elem == "Skill" then groups[#groups + 1] = set end
    if set.elem == "SkillSet" and tonumber(set.attrib.id) == build.skillsTab.activeSkillSetId then groups = set end
  end
  for number, group in ipairs(groups) do
    local loaded = build.skillsTab.socketGroupList[number]
    for place, node in ipairs(group) do
      local gem, written = loaded and loaded.gemList[place], node.attrib and node.attrib.nameSpec
      if gem and written and not node.attrib.gemId and not node.attrib.skillId and gem.gemData then
        local name = gem.nameSpec:lower()
        if written:lower() ~= name and written:lower():gsub(" support$", "") ~= name then
          add(list, "read_as", {
            where = "group " .. number .. ", gem " .. place, text = written,
            message = "there is no such gem; Path of Building takes it for " .. gem.nameSpec, nearest = notices.nearest_gem(written),
          })
        end
      end
    end
  end
end

-- The base that was meant, by the lines where an item has it.
function notices.nearest_base(item)
  local known = names.keys(data and data.itemBases)
  for index = 2, 4 do
    local line = item.rawLines and item.rawLines[index]
    local near = line and not is_property(line) and names.nearest(line, known)
    if near then return near end
  end
end

local function of_config(list, config)
  for _, name in ipairs(names.keys(build.configTab.input)) do
    local value = build.configTab.input[name]
    local problem, near = config.problem(name, value)
    if problem then
      local effect = build.configTab.varControls[name] and "; what Path of Building makes of it is not certain" or "; it counts for nothing"
      add(list, "bad_option", { where = "config " .. name, text = tostring(value), message = problem .. effect, nearest = near })
    end
  end
  if build.configTab.input.customMods then of_custom(list, build.configTab.input.customMods) end
end

-- All of the loaded build, in the order of its parts. `config` knows the options.
function notices.all(config)
  local list = json.list()
  for where, item in worn(build.itemsTab) do notices.of_item(list, where, item) end
  of_gems(list)
  of_levels(list)
  notices.of_attributes(list, build.calcsTab.mainOutput)
  notices.of_nodes(list, build.spec.allocNodes)
  of_config(list, config)
  return list
end

-- Of a build that was just loaded: also what of its text was read as something else, or not at all.
function notices.loaded(config)
  local list = json.list()
  of_slots(list)
  of_gem_names(list)
  for _, notice in ipairs(notices.all(config)) do list[#list + 1] = notice end
  return list
end

-- The message is left out: it may name a level that is another afterwards.
local function key(notice)
  return table.concat({ notice.kind, notice.where, notice.text }, "\n")
end

-- Those that were not there before.
function notices.added(before, after)
  local known, list = {}, json.list()
  for _, notice in ipairs(before) do known[key(notice)] = true end
  for _, notice in ipairs(after) do
    if not known[key(notice)] then list[#list + 1] = notice end
  end
  return list
end

-- As they are answered: no more than fit, each line with the nearest that is understood.
function notices.shown(list)
  local shown, searched = json.list(), 0
  for index = 1, math.min(#list, most) do
    local notice = list[index]
    if notice.kind == "unknown_line" and searched < most_searched then
      searched = searched + 1
      local near, apart = names.nearest_line(notice.text)
      if near and (not notice.nearest or apart < #notice.text - #notice.nearest) then notice.nearest = near end
    end
    shown[index] = notice
  end
  return shown
end

return notices
