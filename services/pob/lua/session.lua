-- The loaded build: loading it truthfully, reading it, and the tree. The only file, with `edits.lua` and `ranking.lua`, that touches
-- Path of Building's own objects; what it must be asked before it can be believed is here.
local parts = ...
local json, fault, display, notices, config = parts.json, parts.fault, parts.display, parts.notices, parts.config
local session = { name = nil }

-- Path of Building never throws on a bad build: it leaves a message on the screen.
local function complaint()
  local said = launch and launch.promptMsg
  if launch then launch.promptMsg = nil end
  return said and fault.line(said)
end

local function close_popups()
  while main.popups and main.popups[1] do main:ClosePopup() end
end

function session.loaded()
  if not session.name then fault.raise("not_loaded", "no build is loaded") end
  return build
end

-- Every calculation starts from an empty cache: triggered skills would be answered from an old one.
function session.recalculate()
  wipeGlobalCache()
  build.calcsTab:BuildOutput()
end

function session.load(params)
  local text = params.xml
  session.name = nil
  wipeGlobalCache()
  loadBuildFromXML(text, params.name or "Fairlead")
  local said = complaint()
  close_popups()
  if said then fault.raise("bad_xml", config.explain(text) or said, { poisoned = true }) end
  if main.mode ~= "BUILD" or not build.targetVersion or not build.spec or not build.calcsTab or not build.calcsTab.mainOutput then
    fault.raise("bad_xml", "Path of Building did not accept it as a build", { poisoned = true })
  end
  build.viewMode = "NOTES"
  session.name = params.name or "Fairlead"
  session.recalculate()
  local summary = session.summary(params.nodes)
  summary.notices = notices.shown(notices.loaded(config))
  return summary
end

local function count(map)
  local n = 0
  for _ in pairs(map) do n = n + 1 end
  return n
end

function session.summary(wanted)
  local spec = session.loaded().spec
  local warnings = json.list()
  local missing = json.list()
  for _, id in ipairs(wanted or {}) do
    if not spec.allocNodes[id] then missing[#missing + 1] = id end
  end
  if #missing > 0 then
    warnings[#warnings + 1] = #missing .. " of the build's nodes do not exist in this tree or are not connected"
  end
  if spec.treeVersion ~= latestTreeVersion then
    warnings[#warnings + 1] = "its passive tree is of version " .. tostring(spec.treeVersion) .. ", the newest known is " .. tostring(latestTreeVersion)
  end
  return {
    name = session.name,
    level = build.characterLevel,
    className = spec.curClassName,
    ascendancy = spec.curAscendClassName,
    treeVersion = spec.treeVersion,
    nodes = count(spec.allocNodes),
    droppedNodes = missing,
    warnings = warnings,
  }
end

local function scalar(value)
  local kind = type(value)
  if kind == "number" then
    if value ~= value then return "NaN" end
    if value == math.huge then return "Infinity" end
    if value == -math.huge then return "-Infinity" end
    return value
  end
  if kind == "string" then return value end
  if kind == "boolean" then return tostring(value) end
end

-- Only plain values: the output also holds functions, items and gems, some of them in circles.
function session.flatten(output)
  local stats = json.map()
  for key, value in pairs(output) do
    if type(key) == "string" then stats[key] = scalar(value) end
  end
  if type(output.Minion) == "table" then
    for key, value in pairs(output.Minion) do
      if type(key) == "string" then stats["Minion" .. key] = scalar(value) end
    end
  end
  return stats
end

function session.stats(params)
  local all = session.flatten(session.loaded().calcsTab.mainOutput)
  local shown = display()
  if not params.fields then return { stats = all, unknown = json.list(), display = shown } end
  local picked, unknown, kept = json.map(), json.list(), json.map()
  for _, name in ipairs(params.fields) do
    if all[name] == nil then unknown[#unknown + 1] = name else picked[name], kept[name] = all[name], shown[name] end
  end
  return { stats = picked, unknown = unknown, display = kept }
end

function session.tree()
  local spec = session.loaded().spec
  local nodes, masteries = json.list(), json.map()
  for id in pairs(spec.allocNodes) do nodes[#nodes + 1] = id end
  table.sort(nodes)
  for id, effect in pairs(spec.masterySelections or {}) do masteries[id] = effect end
  return {
    treeVersion = spec.treeVersion,
    classId = spec.curClassId or 0,
    ascendClassId = spec.curAscendClassId or 0,
    secondaryAscendClassId = spec.curSecondaryAscendClassId or 0,
    nodes = nodes,
    masteryEffects = masteries,
  }
end

-- The allocated nodes that have a name of their own, with their lines: all but the small ones.
function session.named()
  local list = json.list()
  for id, node in pairs(session.loaded().spec.allocNodes) do
    if node.dn and node.type ~= "Normal" and node.type ~= "ClassStart" and node.type ~= "AscendClassStart" then
      local lines = json.list()
      for _, line in ipairs(node.sd or {}) do lines[#lines + 1] = line end
      list[#list + 1] = { node = id, name = node.dn, type = node.type, ascendancy = node.ascendancyName, lines = lines }
    end
  end
  table.sort(list, function(a, b) return a.node < b.node end)
  return list
end

-- The classes and ascendancies of a tree, the newest one when none is named.
function session.classes(params)
  local version = params.treeVersion or latestTreeVersion
  local tree = main.LoadTree and main:LoadTree(version)
  if not tree then fault.raise("unsupported", "this checkout does not say which classes there are") end
  local classes = json.list()
  for id, class in pairs(tree.classes) do
    if type(id) == "number" then
      local ascendancies = json.list()
      for ascendancy, each in pairs(class.classes or {}) do
        if type(ascendancy) == "number" and ascendancy > 0 then ascendancies[#ascendancies + 1] = { id = ascendancy, name = each.name } end
      end
      table.sort(ascendancies, function(a, b) return a.id < b.id end)
      classes[#classes + 1] = { id = id, name = class.name, ascendancies = ascendancies }
    end
  end
  table.sort(classes, function(a, b) return a.id < b.id end)
  return { treeVersion = version, classes = classes }
end

local function known_tree(version)
  for _, name in ipairs(treeVersionList or {}) do
    if name == version then return true end
  end
  return false
end

-- Newer checkouts take the name of the class before its number, so the number of parameters decides.
local function import(spec, tree, masteries)
  local named = debug.getinfo(spec.ImportFromNodeList).nparams > 8
  local class = spec.tree.classes[tree.classId]
  local numbers = { tree.classId, tree.ascendClassId, tree.secondaryAscendClassId or 0, tree.nodes, spec.hashOverrides or {}, masteries, tree.treeVersion }
  if named then spec:ImportFromNodeList(class and class.name, unpack(numbers, 1, 7)) else spec:ImportFromNodeList(unpack(numbers, 1, 7)) end
  if spec.BuildClusterJewelGraphs then spec:BuildClusterJewelGraphs() end
end

-- "1 (Warden), 2 (Warlock)", for what a table of them holds.
local function listed(named)
  local ids, texts = {}, {}
  for id in pairs(named or {}) do
    if type(id) == "number" then ids[#ids + 1] = id end
  end
  table.sort(ids)
  for index, id in ipairs(ids) do texts[index] = id .. " (" .. tostring(named[id].name) .. ")" end
  return #texts == 0 and "there is none" or "there are " .. table.concat(texts, ", ")
end

local function check_class(tree, wanted)
  local class = tree.classes[wanted.classId]
  if not class then fault.raise("unknown_class", "the tree has no class " .. wanted.classId .. "; " .. listed(tree.classes)) end
  if not class.classes[wanted.ascendClassId] then
    fault.raise("unknown_class", class.name .. " has no ascendancy " .. wanted.ascendClassId .. "; " .. listed(class.classes))
  end
  local second, seconds = wanted.secondaryAscendClassId or 0, tree.alternate_ascendancies
  if second ~= 0 and not (seconds and seconds[second]) then
    fault.raise("unknown_class", "the tree has no secondary ascendancy " .. second .. "; " .. listed(seconds))
  end
end

-- Path of Building keeps whatever it is given, and computes nothing for it. What the build has already is let be.
local function check_masteries(nodes, effects, present)
  for id, effect in pairs(effects) do
    if present[id] ~= effect then
      local node = nodes[id]
      if not node then fault.raise("bad_change", "masteryEffects: the tree has no node " .. id) end
      local known, found = {}, false
      for _, each in ipairs(node.masteryEffects or {}) do
        known[#known + 1], found = each.effect, found or each.effect == effect
      end
      if #known == 0 then fault.raise("bad_change", "masteryEffects: node " .. id .. " is not a mastery") end
      if not found then
        fault.raise("bad_change", "masteryEffects: the mastery " .. id .. " has no effect " .. effect .. "; there are " .. table.concat(known, ", "))
      end
    end
  end
end

-- A tree of another version is loaded first, so that what is wrong with it is found before the build is touched.
local function tree_of(version, spec)
  if not version or version == spec.treeVersion then return spec.tree, spec.nodes end
  local other = main.LoadTree and main:LoadTree(version)
  if not other then return nil end
  return other, other.nodes
end

function session.set_tree(tree)
  local spec = session.loaded().spec
  if tree.treeVersion and not known_tree(tree.treeVersion) then
    fault.raise("unknown_tree", "tree version " .. tostring(tree.treeVersion) .. " is not known to this checkout; there are " .. table.concat(treeVersionList, ", "))
  end
  local masteries = {}
  for id, effect in pairs(tree.masteryEffects or {}) do masteries[tonumber(id)] = effect end
  local target, nodes = tree_of(tree.treeVersion, spec)
  if target then
    check_class(target, tree)
    check_masteries(nodes, masteries, spec.masterySelections or {})
  end
  local before = notices.all(config)
  import(spec, tree, masteries)
  session.recalculate()

  local wanted, dropped, added = {}, json.list(), json.list()
  for _, id in ipairs(tree.nodes) do
    wanted[id] = true
    if not spec.allocNodes[id] then
      local node = spec.nodes[id]
      local why = "not_connected"
      if not node then why = "unknown" elseif node.type == "Mastery" and not masteries[id] then why = "mastery_without_effect" end
      dropped[#dropped + 1] = { node = id, why = why }
    end
  end
  for id in pairs(spec.allocNodes) do
    if not wanted[id] then added[#added + 1] = id end
  end
  table.sort(added)
  return { tree = session.tree(), dropped = dropped, added = added, notices = notices.shown(notices.added(before, notices.all(config))) }
end

-- Where nodes are and which are linked, for a picture.
function session.shape(params)
  local spec = session.loaded().spec
  local nodes, links, wanted = json.list(), json.list(), {}
  for _, id in ipairs(params.nodes) do
    local node = spec.nodes[id]
    if node and node.x and node.y then
      wanted[id] = true
      nodes[#nodes + 1] = { id = id, x = node.x, y = node.y, name = node.dn or "", type = node.type }
    end
  end
  for id in pairs(wanted) do
    for _, other in ipairs(spec.nodes[id].linked or {}) do
      if wanted[other.id] and id < other.id then links[#links + 1] = json.list({ id, other.id }) end
    end
  end
  table.sort(links, function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end)
  return { nodes = nodes, links = links }
end

local most_lines = 20

-- Nodes of one orbit of a group are linked by an arc around its middle.
local function center_of(node, other)
  local group = node.group
  if group and group == other.group and node.o and node.o == other.o and node.o > 0 and group.x and group.y then
    return { x = group.x, y = group.y }
  end
end

-- Where all nodes are, what they do, and which are linked, for a picture that can be looked around in.
function session.tree_shape()
  local spec = session.loaded().spec
  local nodes, links, ids = json.list(), json.list(), {}
  for id, node in pairs(spec.nodes) do
    if type(id) == "number" and node.x and node.y then ids[#ids + 1] = id end
  end
  table.sort(ids)
  for _, id in ipairs(ids) do
    local node, lines = spec.nodes[id], json.list()
    for at, line in ipairs(node.sd or {}) do
      if at <= most_lines then lines[at] = line end
    end
    nodes[#nodes + 1] = { id = id, x = node.x, y = node.y, name = node.dn or "", type = node.type or "Normal", ascendancy = node.ascendancyName, lines = lines }
    local seen = {}
    for _, other in ipairs(node.linked or {}) do
      -- Between the tree and an ascendancy nothing is drawn.
      if other.id and id < other.id and other.x and not seen[other.id] and node.ascendancyName == other.ascendancyName then
        seen[other.id] = true
        links[#links + 1] = { from = id, to = other.id, center = center_of(node, other) }
      end
    end
  end
  return { nodes = nodes, links = links }
end

function session.export()
  local xml = session.loaded():SaveDB("fairlead")
  if not xml then fault.raise("unsupported", complaint() or "the build could not be written") end
  return { xml = xml }
end

return session
