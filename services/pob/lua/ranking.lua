-- What each passive within reach would gain, with the whole path to it, worked out by copies of this process side by side. The same
-- numbers come out whatever the number of workers: each candidate is calculated alone, and the list is sorted at the end.
local parts = ...
local json, fault, session, wire = parts.json, parts.fault, parts.session, parts.wire
local ranking = {}

-- Most nodes that one copy of the process works out before it ends. A calculation leaves about 1.6 MB of garbage, and collecting it
-- would touch, and so copy, all memory that the copies share; a copy that ends soon need not collect.
local most_in_batch = 150

-- Every worker gets as many batches, and all batches are as long, so that none waits for another at the end.
local function batch_size(count, workers)
  local rounds = math.max(1, math.ceil(count / (workers * most_in_batch)))
  return math.max(1, math.ceil(count / (workers * rounds)))
end

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
  local minion = stat:match("^Minion(.+)")
  local value = output[stat]
  if value == nil and minion and output.Minion then value = output.Minion[minion] end
  return type(value) == "number" and value or 0
end

local function gain_of(node, stat, calculator)
  local set = {}
  for _, step in ipairs(node.path) do set[step] = true end
  wipeGlobalCache()
  local output = calculator.calculate({ addNodes = set }, stat:find("FullD") ~= nil)
  return value_of(output, stat) - value_of(calculator.base, stat)
end

local function work(nodes, range, stat)
  return function(send)
    local began = os.clock()
    collectgarbage("stop")
    wipeGlobalCache()
    local calculate, base = build.calcsTab:GetMiscCalculator()
    for index = range.first, range.last do
      local gain = gain_of(nodes[index], stat, { calculate = calculate, base = base })
      if not send(json.encode({ index = index, gain = gain })) then return end
    end
    send(json.encode({ seconds = os.clock() - began }))
  end
end

local function describe(node, gain)
  local path = json.list()
  for _, step in ipairs(node.path) do path[#path + 1] = step.id end
  table.sort(path)
  return { node = node.id, name = node.dn, type = node.type, points = #path, gain = gain, perPoint = gain / #path, path = path }
end

local function finish_all(workers)
  for worker in pairs(workers) do worker.finish(true) end
end

-- Keeps so many copies at work until all nodes are worked out. The last part told has the seconds of processor time of each copy.
local function gather(nodes, params, id)
  local gains, done, told, next_first = {}, 0, 0, 1
  local workers, working, seconds = {}, 0, json.list()
  local size = batch_size(#nodes, params.workers)
  local function tell()
    told = done
    wire.send(json.encode({ id = id, part = { done = done, total = #nodes, seconds = done == #nodes and seconds or nil } }))
  end
  while next_first <= #nodes or working > 0 do
    while working < params.workers and next_first <= #nodes do
      local range = { first = next_first, last = math.min(next_first + size - 1, #nodes) }
      local worker = wire.fork(work(nodes, range, params.stat))
      if not worker then
        finish_all(workers)
        fault.raise("unsupported", "this system cannot copy a process, so nodes cannot be ranked")
      end
      workers[worker], working, next_first = true, working + 1, range.last + 1
    end
    local readers = { wire.input }
    for worker in pairs(workers) do readers[#readers + 1] = worker end
    wire.wait(readers, 1000)
    if parts.canceled(id) then
      finish_all(workers)
      fault.raise("canceled", "the request was taken back")
    end
    for worker in pairs(workers) do
      for line in worker.next do
        local report = json.decode(line)
        if report.seconds then seconds[#seconds + 1] = report.seconds
        else gains[report.index], done = report.gain, done + 1 end
      end
      if worker.over then
        worker.finish(false)
        workers[worker], working = nil, working - 1
      end
    end
    if done - told >= 25 and done < #nodes then tell() end
  end
  if done ~= #nodes then fault.raise("defect", "a worker of the ranking ended early") end
  tell()
  return gains
end

function ranking.run(params, id)
  local spec = session.loaded().spec
  local nodes = candidates(spec, params.maxPoints)
  local gains = gather(nodes, params, id)
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
  return { candidates = #nodes, base = value_of(build.calcsTab.mainOutput, params.stat), nodes = top }
end

return ranking
