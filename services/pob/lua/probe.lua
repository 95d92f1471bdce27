-- Tells the service's doctor, in one line of JSON, what this Lua is and whether it finds zlib. Path of Building is not touched.
local here = (arg and arg[0] or ""):match("^(.*)[/\\]") or "."
local json = dofile(here .. "/json.lua")
local zlib = dofile(here .. "/zlib.lua")
io.write(json.encode({ jit = jit.version, gc64 = require("ffi").abi("gc64"), zlib = zlib ~= nil }), "\n")
