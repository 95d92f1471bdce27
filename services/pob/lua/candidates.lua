-- Which of many changes is best: each is made in a copy of this process of its own, so many side by side, and what comes after the stats
-- is left out. The best one of each kind is computed again in whole; should one come out otherwise, so are all, and nothing is left out.
local parts = ...
local json, fault, session, edits, notices, config = parts.json, parts.fault, parts.session, parts.edits, parts.notices, parts.config
local wire, goal, thrift, what_if = parts.wire, parts.goal, parts.thrift, parts.what_if
local candidates = {}

-- What a copy does. `how.thrifty`: without what comes after the stats; `how.compiled`: with LuaJIT's compiler, which crashes on some builds.
local function attempt(changes, round, how)
  return function(send)
    if not how.compiled then
      jit.off()
      jit.flush()
    end
    collectgarbage("stop")
    local ok, report = pcall(function()
      local quick = what_if.quick(changes)
      if quick then return quick end
      if how.thrifty then thrift.apply() end
      local done = edits.apply(changes, round.before)
      done.after = session.flatten(build.calcsTab.mainOutput)
      return done
    end)
    if not ok then
      send(json.encode({ problem = fault.message(report), code = fault.code(report) }))
      return
    end
    send(json.encode({
      score = goal.score(round.wanted, round.base, report.after), lacking = goal.lacking(round.wanted, report.after),
      stats = goal.values(round.stats, report.after), dropped = report.dropped, notices = report.notices,
    }))
  end
end

local function words(code, message)
  if code == "bad_change" or code == "unknown_tree" or code == "unknown_class" then return message end
  if code == "out_of_memory" then return "Path of Building ran out of memory for it" end
  return "Path of Building failed at it: " .. message
end

-- Keeps so many copies at work until each place of `left` has a row.
local function work(left, round, thrifty)
  local rows, done, working, workers, next_place = {}, 0, 0, {}, 1
  local again = {}

  local function give_up(code, message)
    for worker in pairs(workers) do worker.finish(true) end
    fault.raise(code, message)
  end

  local function start(place, compiled)
    local worker = wire.fork(attempt(round.list[place], round, { thrifty = thrifty, compiled = compiled }))
    if not worker then give_up("unsupported", "this system cannot copy a process, so changes cannot be tried") end
    workers[worker], working = { place = place, compiled = compiled, ends = wire.now() + round.limit }, working + 1
  end

  local function settle(place, row)
    rows[place], done = row, done + 1
    round.tell()
  end

  local function end_of(worker, at)
    local line = worker.next()
    local ending = worker.finish(false)
    workers[worker], working = nil, working - 1
    local report = line and json.decode(line)
    if report then
      settle(at.place, report.problem and { problem = words(report.code, report.problem) } or report)
    elseif at.compiled then
      again[#again + 1] = at.place
    else
      settle(at.place, { problem = "the copy of Path of Building that tried it was ended by " .. (ending or "its own exit") })
    end
  end

  while done < #left do
    while working < round.workers and (again[1] or next_place <= #left) do
      if again[1] then
        start(table.remove(again, 1), false)
      else
        start(left[next_place], true)
        next_place = next_place + 1
      end
    end
    local readers = { wire.input }
    for worker in pairs(workers) do readers[#readers + 1] = worker end
    wire.wait(readers, 250)
    if what_if.canceled(round.id) then give_up("canceled", "the request was taken back") end
    local now = wire.now()
    for worker, at in pairs(workers) do
      if worker.over then
        end_of(worker, at)
      elseif now > at.ends then
        worker.finish(true)
        workers[worker], working = nil, working - 1
        settle(at.place, { problem = ("it was not computed within %g seconds"):format(round.limit) })
      end
    end
  end
  return rows
end

local function order(rows)
  local places = {}
  for place in pairs(rows) do places[#places + 1] = place end
  table.sort(places, function(a, b)
    local one, other = rows[a], rows[b]
    if (one.problem == nil) ~= (other.problem == nil) then return one.problem == nil end
    if not one.problem then
      if goal.better(one, other) then return true end
      if goal.better(other, one) then return false end
    end
    return a < b
  end)
  return places
end

local function same(one, other, stats)
  for _, stat in ipairs(stats) do
    if one.stats[stat] ~= other.stats[stat] then return false end
  end
  return true
end

-- The best place of each kind of change that can be made: of items, of gems, of items with a level, and so on.
local function best_of_each_kind(sorted, rows, list)
  local seen, places = {}, {}
  for _, place in ipairs(sorted) do
    local kind = {}
    for name in pairs(list[place]) do kind[#kind + 1] = name end
    table.sort(kind)
    local key = table.concat(kind, ",")
    if not seen[key] and not rows[place].problem then seen[key], places[#places + 1] = true, place end
  end
  return places
end

-- `params`: candidates, the goal, workers and the milliseconds that one may take.
function candidates.run(params, id)
  session.loaded()
  local base, list = session.flatten(build.calcsTab.mainOutput), params.candidates
  local round = {
    list = list, wanted = params.goal, stats = goal.stats(params.goal), base = base, before = notices.all(config), id = id,
    workers = params.workers, limit = params.limitMs / 1000,
  }
  local told, total = 0, #list
  function round.tell()
    told = told + 1
    if told <= total then wire.send(json.encode({ id = id, part = { done = told, total = total } })) end
  end
  local places = {}
  for place = 1, #list do places[place] = place end
  local rows = work(places, round, true)
  local sorted, whole = order(rows), false
  local checked = work(best_of_each_kind(sorted, rows, list), round, false)
  for place, row in pairs(checked) do
    if row.problem or not same(rows[place], row, round.stats) then whole = true end
  end
  if whole then
    rows = work(places, round, false)
    sorted = order(rows)
  end
  local answer = json.list()
  for at, place in ipairs(sorted) do
    local row = rows[place]
    row.candidate = place
    answer[at] = row
  end
  return { base = goal.values(round.stats, base), rows = answer, whole = whole }
end

return candidates
