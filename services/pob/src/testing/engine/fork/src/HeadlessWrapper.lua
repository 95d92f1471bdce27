-- Starts the stand-in as the fork starts: noise, then, when asked for by the environment, its own JSON lines.
print("Loading main script...")
local ffi = require("ffi")
ffi.cdef("unsigned long crc32(unsigned long, const char *, unsigned);")
local zlib = ffi.load("z")
function Inflate(data) return zlib.crc32(0, data, #data) end
newer = true
dofile("../../engine.lua")
if os.getenv("POB_API_STDIO") == "1" then dofile("API/Server.lua") end
