-- Tries what a calculator has no use for, and prints what it got.
local code = string.dump(function() return 1 end)
local path = "escaped.txt"
local function upvalue_of(work)
  return debug.getupvalue(work, 1)
end
local function say(line) io.stderr:write(line, "\n") end
local tries = {
  execute = function() return os.execute("true") end,
  popen = function() return io.popen("true") end,
  write = function() return io.open(path, "w") end,
  append = function() return io.open(path, "r+") end,
  output = function() return io.output(path) end,
  temporary = function() return io.tmpfile() end,
  remove = function() return os.remove("HeadlessWrapper.lua") end,
  rename = function() return os.rename("HeadlessWrapper.lua", path) end,
  ffi = function()
    local ffi = require("ffi")
    ffi.cdef("int getpid(void);")
    return ffi.C or ffi.new or ffi.cast or ffi.load("c").getpid
  end,
  preloaded = function() return package.preload.ffi or package.loaded.ffi end,
  library = function() return package.loadlib("libc.so.6", "*") end,
  native = function()
    package.cpath = "/lib/x86_64-linux-gnu/libz.so.1"
    return require("z")
  end,
  bytecode = function() return loadstring(code) or load(code) or load(code, "=", "b") end,
  piecewise = function()
    local left = code
    return load(function()
      local now = left
      left = nil
      return now
    end)
  end,
  upvalues = function() return upvalue_of(io.open) or upvalue_of(require) end,
  registry = function() return debug.getregistry() end,
}
for name, try in pairs(tries) do
  local ok, got = pcall(try)
  if ok and got then say("ESCAPED by " .. name) end
end
say("text is loaded: " .. tostring(loadstring("return 7")()))
say("tries: over")
dofile("../../engine.lua")
if os.getenv("POB_API_STDIO") == "1" then dofile("../../fork/src/API/Server.lua") end
