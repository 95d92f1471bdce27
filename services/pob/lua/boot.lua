-- Starts a stock checkout of Path of Building without its window, hardened before its first line runs.
--
-- The working directory is the checkout's `src`. Returns what the service wants to know of it, or nil and why it did not start.
local zlib, harden = ...
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
