-- Starts a stock checkout of Path of Building without its window, and takes from it what a calculator has no use for: programs to
-- run, native libraries, and standard input (which its start-up would read a request from when something is wrong).
--
-- The working directory is the checkout's `src`. Returns what the service wants to know of it, or nil and why it did not start.
local zlib = ...
local gc64 = require("ffi").abi("gc64")

local function utf8_stand_in()
  return {
    reverse = string.reverse, gsub = string.gsub, find = string.find, sub = string.sub, match = string.match,
    len = string.len, lower = string.lower, upper = string.upper, char = string.char, byte = string.byte,
    next = function(text, at, by)
      local to = (at or 1) + (by or 1)
      return to >= 1 and to <= #text + 1 and to or nil
    end,
  }
end

local function harden()
  os.execute, io.popen, package.loadlib = nil, nil, nil
  io.read = function() error("Path of Building asked for input while starting") end
  local read_only = io.open
  io.open = function(path, mode)
    if mode and mode:find("[wa+]") then return nil, path .. ": the bridge does not let Path of Building write" end
    return read_only(path, mode)
  end
  -- No byte code: a build is text, and byte code can break out of anything.
  for _, name in ipairs({ "load", "loadstring" }) do
    local original = _G[name]
    _G[name] = function(chunk, ...)
      if type(chunk) == "string" and chunk:byte(1) == 27 then return nil, "byte code is refused" end
      return original(chunk, ...)
    end
  end
end

local function forbid_ffi()
  package.loaded.ffi, package.preload.ffi = nil, nil
  local inner = require
  require = function(name)
    if name == "ffi" then error("module 'ffi' not found") end
    return inner(name)
  end
end

local function version_of_checkout()
  for _, path in ipairs({ "../manifest.xml", "manifest.xml" }) do
    local file = io.open(path, "r")
    if file then
      local text = file:read("*a")
      file:close()
      return text:match('<Version[^>]-number="([^"]+)"')
    end
  end
end

return function()
  arg = {}
  package.path = "../runtime/lua/?.lua;../runtime/lua/?/init.lua;" .. package.path
  package.preload["lua-utf8"] = package.preload["lua-utf8"] or utf8_stand_in
  local file = io.open("HeadlessWrapper.lua", "r")
  if not file then return nil, "there is no HeadlessWrapper.lua in the working directory" end
  file:close()
  harden()
  forbid_ffi()

  local ok, message = pcall(dofile, "HeadlessWrapper.lua")
  if not ok then return nil, tostring(message) end
  if type(build) ~= "table" then
    return nil, (launch and launch.promptMsg) or "it ended its start-up without a build"
  end

  GetScriptPath = function() return "." end
  if zlib then
    Inflate = function(data) return zlib.inflate(data) or "" end
    Deflate = function(data) return zlib.deflate(data) or "" end
  end
  if main then main.disableDevAutoSave = true end
  collectgarbage("setpause", 200)

  local trees = {}
  for i, name in ipairs(treeVersionList or {}) do trees[i] = name end
  return {
    number = version_of_checkout() or (launch and launch.versionNumber) or "unknown",
    trees = trees,
    latestTree = latestTreeVersion,
    zlib = zlib ~= nil,
    jit = jit.version,
    gc64 = gc64,
  }
end
