-- The bridge into a stock checkout of Path of Building: sends its handshake, then answers one request a line until its input ends.
--
-- It speaks Fairlead's line protocol under the name "pob" on the original standard output, which nothing else can reach. A request
-- that fails half way through a change has `poisoned` set and ends the process: the service starts another and replays.
local here = (arg and arg[0] or ""):match("^(.*)[/\\]") or "."
local function part(name, ...)
  local chunk = assert(loadfile(here .. "/" .. name .. ".lua"))
  return chunk(...)
end

local wire = part("wire")
wire.seize()
local json = part("json")
local fault = part("fault")
local zlib = part("zlib")
local info, why = part("boot", zlib, part("harden"))()
if not info then
  io.stderr:write("Path of Building did not start: " .. fault.line(why) .. "\n")
  os.exit(1)
end

local names = part("names")
local create, goal = part("objects"), part("goal", json)
local notices, config = part("notices", json, names, create), part("config", json, fault, names)
local session = part("session", { json = json, fault = fault, display = part("display", json), notices = notices, config = config })
local sets = part("sets", { json = json, fault = fault, names = names, create = create })
local edits = part("edits", { json = json, fault = fault, session = session, names = names, notices = notices, config = config, create = create, sets = sets })
local search = part("search", { json = json, session = session, config = config })
-- Requests that came while copies were at work, and cannot be answered before they end.
local waiting = {}
local meanwhile
local what_if = part("what_if", { meanwhile = function(request) meanwhile(request) end, json = json, fault = fault, session = session, edits = edits, notices = notices, wire = wire })
local ranking = part("ranking", { json = json, fault = fault, session = session, wire = wire, goal = goal, canceled = what_if.canceled })
local candidates = part("candidates", {
  json = json, fault = fault, session = session, edits = edits, notices = notices, config = config, wire = wire, goal = goal,
  thrift = part("thrift"), what_if = what_if,
})

local planner = part("plan", { json = json, fault = fault, session = session, wire = wire, goal = goal, canceled = what_if.canceled })

-- Reads leave the session as it was, whatever happens in them.
local reads = {
  ping = function() return { pong = true } end,
  stats = session.stats,
  tree = session.tree,
  named = function() return { named = session.named() } end,
  classes = session.classes,
  search = search.run,
  summary = function() return session.summary() end,
  export = session.export,
  shape = session.shape,
  treeShape = session.tree_shape,
  parts = edits.parts,
  whatIf = what_if.run,
  rank = ranking.run,
  candidates = candidates.run,
  plan = planner.run,
  collect = function()
    collectgarbage()
    collectgarbage()
    return { kilobytes = math.floor(collectgarbage("count")) }
  end,
}

local changes = { load = session.load, setTree = session.set_tree, apply = what_if.apply }

local function answer(request)
  local work = reads[request.call] or changes[request.call]
  if not work then return { ok = false, error = { code = "unsupported", message = "no call " .. tostring(request.call) } } end
  local trace
  local ok, value = xpcall(function() return work(request.params or {}, request.id) end, function(cause)
    if not fault.is(cause) then trace = debug.traceback(tostring(cause), 2) end
    return cause
  end)
  if ok then return { ok = true, value = value } end
  local code = fault.code(value)
  local poisoned = fault.is(value) and value.data ~= nil and value.data.poisoned == true
  if code == "out_of_memory" then collectgarbage() end
  if not fault.is(value) then
    io.stderr:write((trace or tostring(value)) .. "\n")
    poisoned = changes[request.call] ~= nil or code == "out_of_memory"
  end
  return { ok = false, error = { code = code, message = fault.message(value), poisoned = poisoned } }
end

local function serve(request)
  local reply = answer(request)
  reply.id = request.id
  local ok, text = pcall(json.encode, reply)
  if not ok then text = json.encode({ id = request.id, ok = false, error = { code = "defect", message = tostring(text) } }) end
  wire.send(text)
  if not reply.ok and reply.error.poisoned then os.exit(70) end
end

-- All work of these is in copies, so that the build can be read while they are at it.
local in_copies = { whatIf = true, rank = true, candidates = true, plan = true }

function meanwhile(request)
  if reads[request.call] and not in_copies[request.call] then serve(request) else waiting[#waiting + 1] = request end
end

wire.send(json.encode({ fairlead = "pob", versions = json.list({ 1 }), info = info }))
for line in wire.receive do
  local request, wrong = json.decode(line)
  if not request then
    io.stderr:write("a request was no JSON: " .. wrong .. "\n")
  elseif request.quit then
    break
  elseif request.call then
    serve(request)
    while waiting[1] do serve(table.remove(waiting, 1)) end
  end
end
