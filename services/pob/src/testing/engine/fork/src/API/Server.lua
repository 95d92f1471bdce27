-- The fork's protocol: an action and params in, ok and one payload out, no ids. With `--fault=<mode>` it misbehaves when it is asked
-- for the stat called Fault. With `--minimal` it has no more requests than the bridge's specification names.
local json = dofile("../../../../../lua/json.lua")
local minimal = table.concat(arg or {}, " "):find("--minimal", 1, true) ~= nil
local fault = table.concat(arg or {}, " "):match("%-%-fault=(%w+)")

local function say(value)
  io.write(json.encode(value), "\n")
  io.flush()
end

local function faulty(mode)
  local ffi = require("ffi")
  ffi.cdef("int usleep(unsigned); typedef void (*handler)(int); handler signal(int, handler);")
  local function sleep() while true do ffi.C.usleep(100000) end end
  if mode == "garbage" then io.write("!!! \7 not JSON\n[1]\n") io.flush()
  elseif mode == "broken" then io.write('{"ok":true,"stats":{\n') io.flush()
  elseif mode == "partial" then
    io.write('{"ok":true,"stats":{"Li') io.flush()
    ffi.C.usleep(100000)
    io.write('fe":1}}\n') io.flush()
    return true
  elseif mode == "huge" then
    local block = ("x"):rep(65536)
    io.write('{"ok":true,"stats":{"a":"')
    for _ = 1, 16384 do io.write(block) end
    io.write('"}}\n') io.flush()
    return true
  elseif mode == "silence" then sleep()
  elseif mode == "stubborn" then
    ffi.C.signal(15, ffi.cast("handler", 1))
    sleep()
  elseif mode == "flood" then
    local block = ("e"):rep(1023) .. "\n"
    for _ = 1, 4096 do io.stderr:write(block) end
  elseif mode == "exit" then os.exit(5)
  elseif mode == "half" then
    io.write('{"ok":true,"sta') io.flush()
    os.exit(6)
  elseif mode == "family" then
    io.popen("sleep 600")
    os.exit(7)
  end
end

local function tree()
  local spec = build.spec
  local nodes, masteries = json.list(), {}
  for id in pairs(spec.allocNodes) do nodes[#nodes + 1] = id end
  table.sort(nodes)
  for id, effect in pairs(spec.masterySelections) do masteries[tostring(id)] = effect end
  return {
    treeVersion = spec.treeVersion, classId = spec.curClassId, ascendClassId = spec.curAscendClassId,
    secondaryAscendClassId = 0, nodes = nodes, masteryEffects = next(masteries) and masteries or json.list(),
  }
end

local actions = {
  ping = function() return { ok = true, pong = true } end,
  load_build_xml = function(params)
    if not params.xml then return { ok = false, error = "missing xml" } end
    loadBuildFromXML(params.xml, params.name)
    return { ok = true, build_id = 1 }
  end,
  get_build_info = function()
    return { ok = true, info = { level = build.characterLevel, className = build.spec.curClassName, ascendClassName = build.spec.curAscendClassName, treeVersion = "3_0" } }
  end,
  get_stats = function(params)
    if not build.spec then return { ok = false, error = "build not initialized" } end
    for _, name in ipairs(params.fields or {}) do
      if name == "Fault" and fault and faulty(fault) then return nil end
    end
    wipeGlobalCache()
    build.calcsTab:BuildOutput()
    local stats = json.map({ _meta = { level = build.characterLevel } })
    for _, name in ipairs(params.fields or { "Life", "SpellDamageInc" }) do
      local value = build.calcsTab.mainOutput[name]
      if type(value) ~= "table" and type(value) ~= "function" then stats[name] = value end
    end
    return { ok = true, stats = stats }
  end,
  get_tree = function()
    if not build.spec then return { ok = false, error = "build/spec not initialized" } end
    return { ok = true, tree = tree() }
  end,
  -- The keys of the masteries stay text, and so are lost: the real fork's bug.
  set_tree = function(params)
    build.spec:import(params.classId or 0, params.ascendClassId or 0, 0, params.nodes or {}, {}, params.masteryEffects or {}, params.treeVersion)
    build.calcsTab:BuildOutput()
    return { ok = true, tree = tree() }
  end,
  export_build_xml = function() return { ok = true, xml = build:SaveDB() } end,
  quit = function() return { ok = true, quit = true } end,
}

if minimal then actions.ping, actions.get_build_info, actions.export_build_xml = nil, nil, nil end
if fault == "mute" then while true do io.read("*l") end end
if fault == "slow" then os.execute("sleep 1") end
say({ ok = true, ready = true, version = { number = "0.0.1-test", apiVersion = "1.0.0" } })
for line in io.lines() do
  local request = json.decode(line)
  local action = type(request) == "table" and actions[request.action]
  if not request then say({ ok = false, error = "invalid json" })
  elseif not action then say({ ok = false, error = "unknown action: " .. tostring(request.action) })
  else
    local ok, answer = pcall(action, request.params or {})
    if not ok then say({ ok = false, error = "exception: " .. tostring(answer) }) elseif answer then say(answer) end
    if request.action == "quit" then break end
  end
end
