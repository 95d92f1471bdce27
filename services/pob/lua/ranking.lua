-- What each passive within reach would gain, with the whole path to it, worked out by copies of this process side by side. The same
-- numbers come out whatever the number of workers: each candidate is calculated alone, and the list is sorted at the end.
local parts = ...
local json, fault, session, wire = parts.json, parts.fault, parts.session, parts.wire
local ranking = {}

-- Garbage of one calculation is about 1.6 MB; a copy that lives shortly need not collect it.
local uncollected = 400

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

local function work(nodes, share, workers, stat)
  return function(send)
    if #nodes / workers <= uncollected then collectgarbage("stop") end
    wipeGlobalCache()
    local calculate, base = build.calcsTab:GetMiscCalculator()
    for index = share, #nodes, workers do
      local gain = gain_of(nodes[index], stat, { calculate = calculate, base = base })
      if not send(json.encode({ index = index, gain = gain })) then return end
    end
    send(json.encode({ done = true }))
  end
end

local function describe(node, gain)
  local path = json.list()
  for _, step in ipairs(node.path) do path[#path + 1] = step.id end
  table.sort(path)
  return { node = node.id, name = node.dn, type = node.type, points = #path, gain = gain, perPoint = gain / #path, path = path }
end

local function finish_all(workers, kill)
  for _, worker in ipairs(workers) do worker.finish(kill) end
end

local function gather(nodes, workers, id)
  local gains, done, told, ended = {}, 0, 0, 0
  while ended < #workers do
    local readers = { wire.input }
    for _, worker in ipairs(workers) do
      if not worker.over then readers[#readers + 1] = worker end
    end
    wire.wait(readers, 1000)
    if parts.canceled(id) then
      finish_all(workers, true)
      fault.raise("canceled", "the request was taken back")
    end
    ended = 0
    for _, worker in ipairs(workers) do
      for line in worker.next do
        local report = json.decode(line)
        if report.done then worker.complete = true else
          gains[report.index] = report.gain
          done = done + 1
        end
      end
      if worker.over then ended = ended + 1 end
    end
    if done - told >= 25 then
      told = done
      wire.send(json.encode({ id = id, part = { done = done, total = #nodes } }))
    end
  end
  local complete = done == #nodes
  for _, worker in ipairs(workers) do complete = complete and worker.complete end
  finish_all(workers, false)
  if not complete then fault.raise("defect", "a worker of the ranking ended early") end
  return gains
end

function ranking.run(params, id)
  local spec = session.loaded().spec
  local nodes = candidates(spec, params.maxPoints)
  local workers = {}
  for share = 1, params.workers do
    local worker = wire.fork(work(nodes, share, params.workers, params.stat))
    if not worker then
      finish_all(workers, true)
      fault.raise("unsupported", "this system cannot copy a process, so nodes cannot be ranked")
    end
    workers[share] = worker
  end
  local gains = gather(nodes, workers, id)
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
