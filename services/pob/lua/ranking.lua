-- What each passive within reach would gain, with the whole path to it, worked out by copies of this process side by side. The same
-- numbers come out whatever the number of workers: each candidate is calculated alone, and the list is sorted at the end.
local parts = ...
local json, fault, session, wire, goal = parts.json, parts.fault, parts.session, parts.wire, parts.goal
local ranking = {}

-- Most nodes that one copy of the process works out before it ends. A calculation leaves about 1.6 MB of garbage, and collecting it
-- would touch, and so copy, all memory that the copies share; a copy that ends soon need not collect.
local most_in_a_copy = 150

-- Copies that may die before the others do without LuaJIT's compiler, which is what crashes on some builds.
local most_dead = 3

local ranked = { Normal = true, Notable = true, Keystone = true }

local function candidates(spec, most)
  local list = {}
  for id, node in pairs(spec.nodes) do
    if not node.alloc and node.path and #node.path <= most and ranked[node.type] and not node.ascendancyName then
      list[#list + 1] = node
    end
  end
  table.sort(list, function(a, b) return a.id < b.id end)
  return list
end

local function value_of(output, stat)
  local value = goal.value(output, stat)
  return type(value) == "number" and value or 0
end

local function gain_of(node, stat, calculator)
  local set = {}
  for _, step in ipairs(node.path) do set[step] = true end
  wipeGlobalCache()
  local output = calculator.calculate({ addNodes = set }, stat:find("FullD") ~= nil)
  return value_of(output, stat) - value_of(calculator.base, stat)
end

-- What one copy does: it takes nodes from the queue until there are none, so that no copy is idle while another has some left.
local function work(nodes, queue, how)
  return function(send)
    local began = os.clock()
    if not how.compiled then
      jit.off()
      jit.flush()
    end
    collectgarbage("stop")
    local ok, cause = pcall(function()
      wipeGlobalCache()
      local calculate, base = build.calcsTab:GetMiscCalculator()
      for _ = 1, most_in_a_copy do
        local index = queue.take()
        if not index then break end
        send(json.encode({ index = index, gain = gain_of(nodes[index], how.stat, { calculate = calculate, base = base }) }))
      end
    end)
    if not ok then send(json.encode({ code = fault.code(cause), message = fault.message(cause) })) end
    send(json.encode({ seconds = os.clock() - began }))
  end
end

local function describe(node, gain)
  local path = json.list()
  for _, step in ipairs(node.path) do path[#path + 1] = step.id end
  table.sort(path)
  return { node = node.id, name = node.dn, type = node.type, points = #path, gain = gain, perPoint = gain / #path, path = path }
end

-- Keeps so many copies at work until all nodes are worked out. Each part told has the gains since the one before; the last, the seconds of processor time of each copy, too.
-- What a copy was at when it died is tried again, without the compiler. Answers the gains and how many nodes were tried again.
local function gather(nodes, params, id)
  local gains, done, told, fresh = {}, 0, 0, json.list()
  local workers, working, seconds = {}, 0, json.list()
  local left, queue, dead, again, ending = nil, nil, 0, 0, nil

  local function give_up(code, message)
    for worker in pairs(workers) do worker.finish(true) end
    if queue then queue.close() end
    fault.raise(code, message)
  end

  local function tell()
    told = done
    wire.send(json.encode({ id = id, part = { done = done, total = #nodes, gains = fresh, seconds = done == #nodes and seconds or nil } }))
    fresh = json.list()
  end

  local function take(report)
    if report.code then give_up(report.code, report.message) end
    if report.seconds then seconds[#seconds + 1] = report.seconds
    else
      local node = nodes[left[report.index]]
      gains[left[report.index]], done = report.gain, done + 1
      if report.gain ~= 0 then fresh[#fresh + 1] = { node = node.id, perPoint = report.gain / #node.path } end
    end
  end

  local function start(compiled)
    local list = {}
    for at, index in ipairs(left) do list[at] = nodes[index] end
    local worker = wire.fork(work(list, queue, { stat = params.stat, compiled = compiled and dead < most_dead }))
    if not worker then give_up("unsupported", "this system cannot copy a process, so nodes cannot be ranked") end
    workers[worker], working = true, working + 1
  end

  local function finish(worker)
    local how = worker.finish(false)
    workers[worker], working = nil, working - 1
    if not how then return end
    dead, ending = dead + 1, how
    io.stderr:write("a copy of Path of Building was ended by " .. how .. " while it ranked nodes\n")
  end

  local function round(compiled)
    left = {}
    for index = 1, #nodes do
      if gains[index] == nil then left[#left + 1] = index end
    end
    queue = wire.queue(#left)
    if not queue then fault.raise("unsupported", #left .. " nodes are too many to rank at once") end
    while working > 0 or not queue.empty() do
      while working < params.workers and not queue.empty() do start(compiled) end
      local readers = { wire.input }
      for worker in pairs(workers) do readers[#readers + 1] = worker end
      wire.wait(readers, 1000)
      if parts.canceled(id) then give_up("canceled", "the request was taken back") end
      for worker in pairs(workers) do
        for line in worker.next do take(json.decode(line)) end
        if worker.over then finish(worker) end
      end
      if done - told >= 25 and done < #nodes then tell() end
    end
    queue.close()
    queue = nil
  end

  round(true)
  if done ~= #nodes then
    again = #nodes - done
    round(false)
  end
  if done ~= #nodes then
    fault.raise("defect", "a copy that ranked nodes was ended by " .. tostring(ending) .. ", without LuaJIT's compiler as well")
  end
  tell()
  return gains, again
end

function ranking.run(params, id)
  local spec = session.loaded().spec
  local nodes = candidates(spec, params.maxPoints)
  local gains, again = gather(nodes, params, id)
  local list = json.list()
  for index, node in ipairs(nodes) do
    if gains[index] ~= 0 then list[#list + 1] = describe(node, gains[index]) end
  end
  table.sort(list, function(a, b)
    if a.perPoint ~= b.perPoint then return a.perPoint > b.perPoint end
    if a.gain ~= b.gain then return a.gain > b.gain end
    return a.node < b.node
  end)
  local top = json.list()
  for i = 1, math.min(params.limit, #list) do top[i] = list[i] end
  return { candidates = #nodes, retried = again, base = value_of(build.calcsTab.mainOutput, params.stat), nodes = top }
end

return ranking
