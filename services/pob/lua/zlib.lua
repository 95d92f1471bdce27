-- Inflate and Deflate for Path of Building, from the system's zlib: its own stand-ins return nothing, and timeless jewels are then
-- silently computed wrongly. Nil when there is no zlib.
local ffi = require("ffi")

ffi.cdef [[
unsigned long compressBound(unsigned long);
int compress2(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int);
int uncompress(unsigned char *, unsigned long *, const unsigned char *, unsigned long);
]]

local library
for _, name in ipairs({ "z", "libz.so.1", "libz.1.dylib", "zlib1" }) do
  local ok, loaded = pcall(ffi.load, name)
  if ok then library = loaded break end
end
if not library then return nil end

local Z_BUF_ERROR, most = -5, 64 * 1024 * 1024
local zlib = {}

function zlib.inflate(data)
  local size = math.max(4096, #data * 8)
  while size <= most do
    local length = ffi.new("unsigned long[1]", size)
    local buffer = ffi.new("unsigned char[?]", size)
    local code = library.uncompress(buffer, length, data, #data)
    if code == 0 then return ffi.string(buffer, length[0]) end
    if code ~= Z_BUF_ERROR then return nil end
    size = size * 4
  end
end

function zlib.deflate(data)
  local length = ffi.new("unsigned long[1]", library.compressBound(#data))
  local buffer = ffi.new("unsigned char[?]", length[0])
  return library.compress2(buffer, length, data, #data, 9) == 0 and ffi.string(buffer, length[0]) or nil
end

return zlib
