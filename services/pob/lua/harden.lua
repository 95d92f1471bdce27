-- Takes from Path of Building what a calculator has no use for: programs to run, files to write, native libraries, byte code, the
-- insides of functions, and standard input (which its start-up would read a request from when something is wrong). Behind that
-- stands the system: on Linux the process may write no file and leave no core; its memory is limited by the kernel that starts it.
local ffi = require("ffi")

local function limit()
  if jit.os ~= "Linux" then return end
  ffi.cdef [[
  struct fairlead_rlimit { unsigned long now, most; };
  int setrlimit(int, const struct fairlead_rlimit *);
  void (*signal(int, void (*)(int)))(int);
  ]]
  local FSIZE, CORE, SIGXFSZ = 1, 4, 25
  ffi.C.signal(SIGXFSZ, ffi.cast("void (*)(int)", 1))
  for _, what in ipairs({ FSIZE, CORE }) do ffi.C.setrlimit(what, ffi.new("struct fairlead_rlimit", 0, 0)) end
end

local function refuse(what)
  return function() return nil, what .. " is refused by the bridge" end
end

local function no_writing()
  local open = io.open
  io.open = function(path, mode)
    if mode and mode:find("[wa+]") then return nil, path .. ": the bridge does not let Path of Building write" end
    return open(path, mode)
  end
  io.output, io.tmpfile = refuse("writing"), refuse("writing")
  os.remove, os.rename, os.tmpname = refuse("removing"), refuse("renaming"), refuse("writing")
end

-- A build is text, and byte code can break out of anything.
local function text_only()
  for _, name in ipairs({ "load", "loadstring" }) do
    local original = _G[name]
    _G[name] = function(chunk, title, _, ...) return original(chunk, title, "t", ...) end
  end
  local from_file = loadfile
  loadfile = function(path, _, ...) return from_file(path, "t", ...) end
  dofile = function(path)
    local chunk, why = loadfile(path)
    if not chunk then error(why, 2) end
    return chunk()
  end
end

-- Newer checkouts declare zlib while they start. They may; they get nothing, and `boot.lua` gives them Inflate and Deflate.
local no_ffi = { cdef = function() end, load = function() return {} end }

local function no_libraries()
  package.loaded.ffi, package.preload.ffi, package.loadlib, package.cpath = nil, nil, nil, ""
  package.loaders[3], package.loaders[4] = nil, nil
  local inner = require
  require = function(name)
    if name == "ffi" then return no_ffi end
    return inner(name)
  end
end

return function()
  limit()
  os.execute, io.popen = refuse("running programs"), refuse("running programs")
  io.read = function() error("Path of Building asked for input while starting") end
  no_writing()
  text_only()
  no_libraries()
  debug = { getinfo = debug.getinfo, traceback = debug.traceback }
  package.loaded.debug = debug
end
