-- What would change, without changing it. Nodes that simply connect are asked of Path of Building's own calculator; everything else
-- is really done, in a copy of the process that ends afterwards, so that the session cannot be touched.
local parts = ...
local json, fault, session, edits, notices, wire = parts.json, parts.fault, parts.session, parts.edits, parts.notices, parts.wire
local what_if = {}

local function or_null(value)
  if value == nil then return json.null end
  return value
end

local function changed(before, after, wanted)
  local changes = json.map()
  if wanted then
    for _, key in ipairs(wanted) do
      if before[key] ~= after[key] then changes[key] = { old = or_null(before[key]), new = or_null(after[key]) } end
    end
    return changes
  end
  for key, value in pairs(after) do
    if before[key] ~= value then changes[key] = { old = before[key] or json.null, new = value } end
  end
  for key, value in pairs(before) do
    if after[key] == nil then changes[key] = { old = value, new = json.null } end
  end
  return changes
end

local ordinary = { Normal = true, Notable = true, Keystone = true }

-- The nodes to add, or nothing when one is special, unknown, allocated already, or would hang in the air.
local function additions(spec, ids)
  local set, left, reached = {}, 0, {}
  for _, id in ipairs(ids or {}) do
    local node = spec.nodes[id]
    if not node or node.alloc or not ordinary[node.type] or set[node] then return nil end
    set[node], left = true, left + 1
  end
  local moved = true
  while left > 0 and moved do
    moved = false
    for node in pairs(set) do
      if not reached[node] then
        for _, other in ipairs(node.linked) do
          if (other.alloc or reached[other]) and other.ascendancyName == node.ascendancyName then
            reached[node], left, moved = true, left - 1, true
            break
          end
        end
      end
    end
  end
  return left == 0 and set or nil
end

-- The nodes to remove, or nothing when others would fall with them.
local function removals(spec, ids)
  local set = {}
  for _, id in ipairs(ids or {}) do
    local node = spec.allocNodes[id]
    if not node or not ordinary[node.type] then return nil end
    set[node] = true
  end
  for node in pairs(set) do
    for _, other in ipairs(node.depends or {}) do
      if other ~= node and other.alloc and not set[other] then return nil end
    end
  end
  return set
end

-- Nothing where the changes are more than nodes that simply connect.
function what_if.quick(changes)
  for key in pairs(changes) do
    if key ~= "addNodes" and key ~= "removeNodes" then return nil end
  end
  local spec = build.spec
  for _, item in pairs(spec.jewels or {}) do
    if item ~= 0 then return nil end
  end
  if changes.addNodes and changes.removeNodes then return nil end
  local add, remove = additions(spec, changes.addNodes), removals(spec, changes.removeNodes)
  if not add or not remove then return nil end
  wipeGlobalCache()
  local calculate, base = build.calcsTab:GetMiscCalculator()
  local override = {}
  if next(add) then override.addNodes = add end
  if next(remove) then override.removeNodes = remove end
  wipeGlobalCache()
  local output = calculate(override, true)
  local before, after, nodes = json.list(), json.list(), {}
  for node in pairs(add) do nodes[node.id] = node end
  notices.of_attributes(before, base)
  notices.of_attributes(after, output)
  notices.of_nodes(after, nodes)
  return {
    before = session.flatten(base), after = session.flatten(output),
    dropped = json.list(), added = json.list(), notices = notices.shown(notices.added(before, after)),
  }
end

-- Serves what came in the meantime. True when the kernel took the request back; an ended input ends us too.
local function canceled(id)
  for line in wire.input.next do
    local message = json.decode(line)
    if message and (message.cancel == id or message.quit == true) then return true end
    if message and message.call then parts.meanwhile(message) end
  end
  return wire.input.over
end
what_if.canceled = canceled

-- What the copy reports, or nothing and how it ended.
local function run_copy(changes, id, compiled)
  local worker = wire.fork(function(send)
    if not compiled then
      jit.off()
      jit.flush()
    end
    local ok, report = pcall(edits.apply, changes)
    if ok then
      report.after = session.flatten(build.calcsTab.mainOutput)
      send(json.encode(report))
    else
      send(json.encode({ error = { code = fault.code(report), message = fault.message(report) } }))
    end
  end)
  if not worker then fault.raise("unsupported", "this system cannot copy a process, so only connected nodes can be tried") end
  while not worker.over do
    wire.wait({ worker, wire.input }, 1000)
    if canceled(id) then
      worker.finish(true)
      fault.raise("canceled", "the request was taken back")
    end
  end
  local line = worker.next()
  local ending = worker.finish(false)
  return line and json.decode(line), ending
end

-- LuaJIT's compiler crashes on some builds: a copy that died is made again without it.
local function in_a_copy(changes, id)
  local report, ending = run_copy(changes, id, true)
  if not report and ending then
    io.stderr:write("a copy of Path of Building was ended by " .. ending .. " while it tried a change\n")
    report, ending = run_copy(changes, id, false)
  end
  if not report then fault.raise("defect", "the copy of the process ended without an answer" .. (ending and ", by " .. ending or "")) end
  if report.error then fault.raise(report.error.code, report.error.message) end
  local before = session.flatten(build.calcsTab.mainOutput)
  return { before = before, after = report.after, dropped = report.dropped, added = report.added, notices = report.notices }
end

-- `fields` are the stats that are wanted; those that the build has neither before nor afterwards are named in `unknown`.
function what_if.run(params, id)
  session.loaded()
  local report = what_if.quick(params.changes) or in_a_copy(params.changes, id)
  local unknown = json.list()
  for _, name in ipairs(params.fields or {}) do
    if report.before[name] == nil and report.after[name] == nil then unknown[#unknown + 1] = name end
  end
  return { changes = changed(report.before, report.after, params.fields), unknown = unknown, dropped = report.dropped, notices = report.notices }
end

-- The real edit. It is tried in a copy first, so that an edit that is refused or breaks something never reaches the session.
function what_if.apply(changes, id)
  session.loaded()
  local tried, cause = pcall(in_a_copy, changes, id)
  if not tried and not (fault.is(cause) and cause.code == "unsupported") then error(cause, 0) end
  local done, result = pcall(edits.apply, changes)
  if done then return result end
  if fault.is(result) then fault.raise(result.code, result.message, { poisoned = true }) end
  error(result, 0)
end

return what_if
