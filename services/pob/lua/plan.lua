-- The best passive nodes for so many points, with the paths to them: each set of nodes that connects is tried where there are few, and
-- otherwise the best ones are grown by paths, and no worse than one path after the other by gain for each point. Works in a copy of the
-- process; the best so far is told each time that there is a better one, and is the answer when the time is up.
--
-- Adds only: it gives no nodes back, and chooses no masteries, jewels or ascendancy nodes.
local parts = ...
local json, fault, session, wire, goal, canceled = parts.json, parts.fault, parts.session, parts.wire, parts.goal, parts.canceled
local plan = {}

-- Sets that are tried one by one, and states that are kept for each number of points otherwise.
local most_tried, width = 600, 4

local ordinary = { Normal = true, Notable = true, Keystone = true, Socket = true }

local function free(node)
  return not node.alloc and ordinary[node.type] and not node.ascendancyName
end

local function key_of(ids)
  table.sort(ids)
  return table.concat(ids, ",")
end

-- The nodes beside a tree with some more nodes in it, in order.
local function beside(spec, set)
  local found, list = {}, {}
  local function look(node)
    for _, other in ipairs(node.linked) do
      if free(other) and not set[other.id] and not found[other.id] then
        found[other.id] = true
        list[#list + 1] = other.id
      end
    end
  end
  for _, node in pairs(spec.allocNodes) do
    if not node.ascendancyName then look(node) end
  end
  for id in pairs(set) do look(spec.nodes[id]) end
  table.sort(list)
  return list
end

local function with(set, ids)
  local more, list = {}, {}
  for id in pairs(set) do more[id] = true end
  for _, id in ipairs(ids) do more[id] = true end
  for id in pairs(more) do list[#list + 1] = id end
  return more, list
end

-- Every set of at most `points` nodes that connects; nothing when they are too many.
local function all_sets(spec, points)
  local all, level = {}, { {} }
  for _ = 1, points do
    local seen, next_level = {}, {}
    for _, set in ipairs(level) do
      for _, id in ipairs(beside(spec, set)) do
        local more, list = with(set, { id })
        local key = key_of(list)
        if not seen[key] then
          seen[key] = true
          next_level[#next_level + 1], all[#all + 1] = more, more
          if #all > most_tried then return nil end
        end
      end
    end
    level = next_level
  end
  return all
end

-- The shortest path to each node within reach of a tree with some more nodes.
local function paths(spec, set, most)
  local found, queue = {}, {}
  for _, id in ipairs(beside(spec, set)) do
    found[id] = { id }
    queue[#queue + 1] = id
  end
  local at = 1
  while queue[at] do
    local id = queue[at]
    at = at + 1
    if #found[id] < most then
      for _, other in ipairs(spec.nodes[id].linked) do
        if free(other) and not set[other.id] and not found[other.id] then
          local path = { unpack(found[id]) }
          path[#path + 1] = other.id
          found[other.id] = path
          queue[#queue + 1] = other.id
        end
      end
    end
  end
  return found, queue
end

local function work(params, send)
  local spec = session.loaded().spec
  local base, stats = session.flatten(build.calcsTab.mainOutput), goal.stats(params.goal)
  local full = false
  for _, stat in ipairs(stats) do full = full or stat:find("FullD") ~= nil end
  wipeGlobalCache()
  local calculate = build.calcsTab:GetMiscCalculator()
  local known, tried = {}, 0
  local best = { ids = {}, score = 0, lacking = goal.lacking(params.goal, base), values = goal.values(stats, base) }

  local function tell(done, exact)
    send(json.encode({ ids = json.list(best.ids), score = best.score, lacking = best.lacking, stats = best.values, tried = tried, done = done, exact = exact }))
  end

  local function value(set)
    local _, ids = with(set, {})
    local key = key_of(ids)
    if known[key] then return known[key] end
    local nodes = {}
    for _, id in ipairs(ids) do nodes[spec.nodes[id]] = true end
    wipeGlobalCache()
    local output = session.flatten(calculate({ addNodes = nodes }, full))
    tried = tried + 1
    local state = { set = set, ids = ids, score = goal.score(params.goal, base, output), lacking = goal.lacking(params.goal, output) }
    known[key] = state
    if goal.better(state, best) then
      best = { ids = ids, score = state.score, lacking = state.lacking, values = goal.values(stats, output) }
      tell(false, false)
    elseif tried % 25 == 0 then
      tell(false, false)
    end
    return state
  end

  -- One path after the other, each with the most for each point.
  local function greedy()
    local now, left = { set = {}, score = 0, lacking = goal.lacking(params.goal, base) }, params.points
    while left > 0 do
      local chosen, rate
      local found, order = paths(spec, now.set, left)
      for _, id in ipairs(order) do
        local state = value((with(now.set, found[id])))
        local each = { lacking = (state.lacking - now.lacking) / #found[id], score = (state.score - now.score) / #found[id] }
        if goal.better(each, rate or { lacking = 0, score = 0 }) then chosen, rate = { state = state, points = #found[id] }, each end
      end
      if not chosen then return end
      now, left = chosen.state, left - chosen.points
    end
  end

  -- The best few states of each number of points, grown by every path that fits.
  local function grow()
    local levels = { [0] = { { set = {} } } }
    for used = 0, params.points - 1 do
      local level = levels[used] or {}
      table.sort(level, function(a, b)
        if goal.better(a, b) then return true end
        if goal.better(b, a) then return false end
        return key_of(a.ids) < key_of(b.ids)
      end)
      for place = 1, math.min(width, #level) do
        local found, order = paths(spec, level[place].set, params.points - used)
        for _, id in ipairs(order) do
          local state, points = value((with(level[place].set, found[id]))), used + #found[id]
          levels[points] = levels[points] or {}
          local kept = levels[points]
          if not kept[state] then kept[state], kept[#kept + 1] = true, state end
        end
      end
    end
  end

  local sets = all_sets(spec, params.points)
  if sets then
    for _, set in ipairs(sets) do value(set) end
  else
    greedy()
    grow()
  end
  tell(true, sets ~= nil)
end

-- In the order in which they can be allocated.
local function in_order(spec, ids)
  local left, set, list = {}, {}, json.list()
  for _, id in ipairs(ids) do left[id] = true end
  while next(left) do
    local moved = false
    for _, id in ipairs(beside(spec, set)) do
      if left[id] then
        left[id], set[id], moved = nil, true, true
        local node, lines = spec.nodes[id], json.list()
        for _, line in ipairs(node.sd or {}) do lines[#lines + 1] = line end
        list[#list + 1] = { node = id, name = node.dn or "", type = node.type, lines = lines }
      end
    end
    if not moved then fault.raise("defect", "a planned node does not connect") end
  end
  return list
end

-- `params`: points, the goal, and the milliseconds after which the best so far is the answer.
function plan.run(params, id)
  local spec = session.loaded().spec
  local latest, told, ending
  for _, compiled in ipairs({ true, false }) do
    local ends = wire.now() + params.limitMs / 1000
    local worker = wire.fork(function(send)
      if not compiled then
        jit.off()
        jit.flush()
      end
      local ok, cause = pcall(work, params, send)
      if not ok then send(json.encode({ code = fault.code(cause), message = fault.message(cause) })) end
    end)
    if not worker then fault.raise("unsupported", "this system cannot copy a process, so nodes cannot be planned") end
    local over = false
    while not over do
      wire.wait({ worker, wire.input }, 250)
      if canceled(id) then
        worker.finish(true)
        fault.raise("canceled", "the request was taken back")
      end
      for line in worker.next do
        local report = json.decode(line)
        if report.code then
          worker.finish(true)
          fault.raise(report.code, report.message)
        end
        latest = report
      end
      if latest and latest.tried ~= told then
        told = latest.tried
        wire.send(json.encode({ id = id, part = { tried = latest.tried, score = latest.score, points = #latest.ids } }))
      end
      over = worker.over or wire.now() > ends
    end
    ending = worker.finish(not worker.over)
    if latest and latest.done or wire.now() > ends then break end
    io.stderr:write("a copy of Path of Building was ended by " .. tostring(ending) .. " while it planned nodes\n")
  end
  if not latest then fault.raise("defect", "no set of nodes was computed" .. (ending and ": the copy was ended by " .. ending or " in the time there was")) end
  local base = session.flatten(build.calcsTab.mainOutput)
  return {
    base = goal.values(goal.stats(params.goal), base), nodes = in_order(spec, latest.ids), score = latest.score, lacking = latest.lacking,
    stats = latest.stats, tried = latest.tried, exact = latest.exact == true, complete = latest.done == true,
  }
end

return plan
