-- The sets of a build: its passive trees, its sets of items and its sets of skills, of which one each counts. Lists them, and selects,
-- makes, copies, renames and removes them by the methods that Path of Building's own buttons call.
local parts = ...
local json, fault, names, create = parts.json, parts.fault, parts.names, parts.create
local sets = {}

local function bad(message) fault.raise("bad_change", message) end

local function trees()
  local tab = build.treeTab
  return tab, tab and tab.specList
end

-- Each kind has: the places of its sets in order, the active one, and what can be done to one.
local kinds = {}

kinds.tree = {
  list = function()
    local tab, list = trees()
    local all = {}
    for place, spec in ipairs(list or {}) do all[place] = { title = spec.title or "Default", active = place == tab.activeSpec } end
    return all
  end,
  select = function(place) trees():SetActiveSpec(place) end,
  rename = function(place, title)
    local _, list = trees()
    list[place].title = title
  end,
  remove = function(place)
    local tab, list = trees()
    table.remove(list, place)
    if place == tab.activeSpec then
      tab:SetActiveSpec(math.max(1, place - 1))
    elseif place < tab.activeSpec then
      tab.activeSpec = tab.activeSpec - 1
    end
  end,
  make = function(title, of)
    local tab, list = trees()
    local from = list[of or tab.activeSpec]
    local spec = create("PassiveSpec", build, of and from.treeVersion or latestTreeVersion)
    spec.title = title
    if of then
      spec.jewels = {}
      for node, item in pairs(from.jewels or {}) do spec.jewels[node] = item end
      spec:RestoreUndoState(from:CreateUndoState())
      if spec.BuildClusterJewelGraphs then spec:BuildClusterJewelGraphs() end
    else
      spec:SelectClass(from.curClassId)
      spec:SelectAscendClass(from.curAscendClassId)
      if spec.SelectSecondaryAscendClass then spec:SelectSecondaryAscendClass(from.curSecondaryAscendClassId) end
    end
    list[#list + 1] = spec
  end,
}

-- Sets of items and of skills have ids that stay, and an order.
local function by_id(of)
  local kind = {}
  local function order() return of.tab()[of.order] or {} end
  local function set_at(place) return of.tab()[of.sets][order()[place]] end
  function kind.list()
    local all = {}
    for place, id in ipairs(order()) do
      all[place] = { title = of.tab()[of.sets][id].title or "Default", active = id == of.tab()[of.active] }
    end
    return all
  end
  function kind.select(place) of.tab()[of.choose](of.tab(), order()[place]) end
  function kind.rename(place, title) set_at(place).title = title end
  function kind.remove(place)
    local id = table.remove(order(), place)
    of.tab()[of.sets][id] = nil
    if id == of.tab()[of.active] then kind.select(math.max(1, place - 1)) end
  end
  function kind.make(title, from)
    local tab = of.tab()
    local made = tab[of.new](tab)
    made.title = title
    -- Some checkouts put a new set in order by themselves.
    local known = false
    for _, id in ipairs(order()) do known = known or id == made.id end
    if not known then table.insert(order(), made.id) end
    if from then of.copy(set_at(from), made) end
  end
  return kind
end

kinds.items = by_id({
  tab = function() return build.itemsTab end, order = "itemSetOrderList", sets = "itemSets", active = "activeItemSetId", choose = "SetActiveItemSet", new = "NewItemSet",
  copy = function(from, to)
    -- The active set is written down only when another one is chosen.
    local active = from == build.itemsTab.activeItemSet
    for name, slot in pairs(build.itemsTab.slots) do
      if not slot.nodeId and to[name] then
        local source = active and slot or from[name] or {}
        to[name].selItemId, to[name].active = source.selItemId or 0, source.active
      end
    end
  end,
})

kinds.skills = by_id({
  tab = function() return build.skillsTab end, order = "skillSetOrderList", sets = "skillSets", active = "activeSkillSetId", choose = "SetActiveSkillSet", new = "NewSkillSet",
  copy = function(from, to)
    for place, group in ipairs(from.socketGroupList) do
      local copy = {}
      for key, value in pairs(group) do
        -- What is worked out of the gems belongs to the group that it was worked out for.
        if type(value) ~= "table" then copy[key] = value end
      end
      copy.gemList = {}
      for at, gem in ipairs(group.gemList) do
        copy.gemList[at] = {}
        for key, value in pairs(gem) do
          if type(value) ~= "table" then copy.gemList[at][key] = value end
        end
      end
      to.socketGroupList[place] = copy
      build.skillsTab:ProcessSocketGroup(copy)
    end
  end,
})

local called = { tree = "tree", items = "set of items", skills = "set of skills" }

-- The place that a change means: a number, or a title that only one has.
local function place_of(kind, wanted)
  local list, titles, found = kinds[kind].list(), {}, nil
  for place, set in ipairs(list) do
    titles[place] = place .. " (" .. set.title .. ")"
    if place == wanted or set.title == wanted then
      if found then bad("several have the title " .. wanted .. "; give the number of the " .. called[kind]) end
      found = place
    end
  end
  if found then return found end
  local known = {}
  for place, set in ipairs(list) do known[place] = set.title end
  local near = type(wanted) == "string" and names.nearest(wanted, known)
  bad("there is no " .. called[kind] .. " " .. tostring(wanted) .. (near and "; did you mean " .. near .. "?" or "; there are " .. table.concat(titles, ", ")))
end

function sets.change(change)
  local kind = kinds[change.of]
  if change.of == "tree" and not build.treeTab then fault.raise("unsupported", "this checkout has no list of trees") end
  if change["do"] == "new" or change["do"] == "copy" then
    kind.make(change.title or "New", change["do"] == "copy" and place_of(change.of, change.set) or nil)
    kind.select(#kind.list())
    return
  end
  local place = place_of(change.of, change.set)
  if change["do"] == "select" then kind.select(place)
  elseif change["do"] == "rename" then kind.rename(place, change.title)
  else
    if #kind.list() == 1 then bad("the only " .. called[change.of] .. " of a build stays") end
    kind.remove(place)
  end
end

function sets.read()
  local all = {}
  for name, kind in pairs(kinds) do
    local list = json.list()
    for place, set in ipairs(kind.list()) do list[place] = { set = place, title = set.title, active = set.active } end
    all[name] = list
  end
  return all
end

return sets
