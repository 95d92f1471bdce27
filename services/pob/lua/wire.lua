-- The bridge's two descriptors and its forks, straight from the C library: the protocol keeps the original standard output for
-- itself, and everything that prints afterwards prints to standard error. Unix only.
local ffi = require("ffi")
local C = ffi.C

ffi.cdef [[
int dup(int); int dup2(int, int); int close(int); int pipe(int *);
long read(int, void *, size_t); long write(int, const void *, size_t);
int fork(void); void _exit(int); int kill(int, int); int waitpid(int, int *, int); int getpid(void);
struct fairlead_pollfd { int fd; short events; short revents; };
int poll(struct fairlead_pollfd *, unsigned long, int);
struct fairlead_timespec { long seconds, nanoseconds; };
int clock_gettime(int, struct fairlead_timespec *);
]]

local wire = {}
local POLLIN, EINTR, EAGAIN, SIGKILL = 1, 4, 11, 9
local out

-- Takes standard output for the protocol; from here on it is standard error to everybody else.
function wire.seize()
  io.stdout:flush()
  out = C.dup(1)
  C.dup2(2, 1)
end

local function write_all(fd, text)
  local at, bytes = 0, ffi.cast("const char *", text)
  while at < #text do
    local wrote = tonumber(C.write(fd, bytes + at, #text - at))
    if wrote > 0 then at = at + wrote
    elseif ffi.errno() ~= EINTR and ffi.errno() ~= EAGAIN then return false end
  end
  return true
end

function wire.send(line)
  if not write_all(out, line .. "\n") then C._exit(0) end
end

-- Cuts what is read from a descriptor into lines.
local function reader(fd)
  local size = 65536
  local buffer = ffi.new("char[?]", size)
  local parts, lines, first = {}, {}, 1
  local self = { fd = fd, over = false }

  -- Reads once; call it when there is something to read.
  function self.fill()
    local got = tonumber(C.read(fd, buffer, size))
    if got < 0 and ffi.errno() == EINTR then return end
    if got <= 0 then self.over = true return end
    local chunk, from = ffi.string(buffer, got), 1
    while true do
      local stop = chunk:find("\n", from, true)
      if not stop then break end
      parts[#parts + 1] = chunk:sub(from, stop - 1)
      lines[#lines + 1] = table.concat(parts)
      parts, from = {}, stop + 1
    end
    if from <= #chunk then parts[#parts + 1] = chunk:sub(from) end
  end

  -- The next whole line, or nothing.
  function self.next()
    local line = lines[first]
    if not line then return nil end
    lines[first] = nil
    first = first + 1
    if not lines[first] then lines, first = {}, 1 end
    return line
  end

  return self
end

wire.input = reader(0)

-- The next request, waiting for it; nothing when the kernel closed the pipe.
function wire.receive()
  while true do
    local line = wire.input.next()
    if line then return line end
    if wire.input.over then return nil end
    wire.input.fill()
  end
end

-- Runs work in a copy of this process. The copy sends lines with the function it is given and ends when the work is done.
function wire.fork(work)
  local ends = ffi.new("int[2]")
  if C.pipe(ends) ~= 0 then return nil end
  local pid = C.fork()
  if pid < 0 then
    C.close(ends[0])
    C.close(ends[1])
    return nil
  end
  if pid == 0 then
    C.close(ends[0])
    C.close(0)
    local ok, message = pcall(work, function(line) return write_all(ends[1], line .. "\n") end)
    if not ok then write_all(2, tostring(message) .. "\n") end
    C._exit(ok and 0 or 1)
  end
  C.close(ends[1])
  local worker = reader(ends[0])

  -- Answers how it ended, in words, when it did not end well.
  function worker.finish(kill)
    if kill then C.kill(pid, SIGKILL) end
    C.close(ends[0])
    local status = ffi.new("int[1]")
    local got
    repeat got = C.waitpid(pid, status, 0) until got >= 0 or ffi.errno() ~= EINTR
    if got < 0 or status[0] == 0 then return nil end
    local signal = status[0] % 128
    return signal ~= 0 and "signal " .. signal or "exit code " .. math.floor(status[0] / 256)
  end

  return worker
end

-- A queue of the numbers 1 to `count` that copies of this process take from, each number once. It lies in a pipe, which the system
-- guards, and no pipe is smaller than 64 KB.
function wire.queue(count)
  local ends = ffi.new("int[2]")
  if count * 4 > 65536 or C.pipe(ends) ~= 0 then return nil end
  local numbers = ffi.new("int32_t[?]", math.max(count, 1))
  for i = 1, count do numbers[i - 1] = i end
  write_all(ends[1], ffi.string(numbers, count * 4))
  C.close(ends[1])
  local taken = ffi.new("int32_t[1]")
  local polled = ffi.new("struct fairlead_pollfd[1]")

  local queue = {}

  -- The next number, or nothing when all are taken.
  function queue.take()
    local got
    repeat got = tonumber(C.read(ends[0], taken, 4)) until got >= 0 or ffi.errno() ~= EINTR
    return got == 4 and taken[0] or nil
  end

  function queue.empty()
    polled[0].fd, polled[0].events, polled[0].revents = ends[0], POLLIN, 0
    return C.poll(polled, 1, 0) >= 0 and polled[0].revents % 2 == 0
  end

  function queue.close()
    C.close(ends[0])
  end

  return queue
end

-- Waits until one of the readers has something, and reads it.
function wire.wait(readers, milliseconds)
  local polled = ffi.new("struct fairlead_pollfd[?]", #readers)
  for i, one in ipairs(readers) do
    polled[i - 1].fd = one.over and -1 or one.fd
    polled[i - 1].events = POLLIN
  end
  if C.poll(polled, #readers, milliseconds) <= 0 then return end
  for i, one in ipairs(readers) do
    if polled[i - 1].revents ~= 0 then one.fill() end
  end
end

-- Seconds of a clock that nobody sets.
function wire.now()
  local time = ffi.new("struct fairlead_timespec[1]")
  C.clock_gettime(jit.os == "OSX" and 6 or 1, time)
  return tonumber(time[0].seconds) + tonumber(time[0].nanoseconds) / 1e9
end

function wire.pid()
  return C.getpid()
end

return wire
