-- The language server in Neovim: nvim --headless --clean -n -c 'luafile neovim.lua', in a
-- copy of testdata/catalog. fmcp-validate is in the PATH.
local function check(ok, what)
  if not ok then
    print('interop: neovim: ' .. what .. '\n')
    vim.cmd('cquit 1')
  end
end

local function codes(buffer)
  local list = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(list, d.code)
  end
  table.sort(list)
  return table.concat(list, ' ')
end

-- shows waits until a buffer has findings of just these codes.
local function shows(buffer, want)
  vim.wait(20000, function() return codes(buffer) == want end, 10)
  check(codes(buffer) == want, 'found "' .. codes(buffer) .. '", expected "' .. want .. '"')
end

vim.cmd('edit providers/tidewatch/stations.mjs')
local stations = vim.api.nvim_get_current_buf()
-- vim.lsp.start and vim.lsp.config are newer than the Neovim of some distributions.
local client = vim.lsp.start_client({ name = 'fmcp', cmd = { 'fmcp-validate', 'lsp', '--profile', 'community' },
  root_dir = vim.fn.getcwd() })
check(client, 'the server did not start')
vim.lsp.buf_attach_client(stations, client)
check(vim.wait(20000, function() return vim.lsp.get_client_by_id(client).initialized end, 10), 'no answer to initialize')

vim.cmd([[silent %s/method: 'GET'/method: 'get'/]])
shows(stations, 'CMP006 VAL032 VAL032')
for _, d in ipairs(vim.diagnostic.get(stations)) do
  local line = vim.api.nvim_buf_get_lines(stations, d.lnum, d.lnum + 1, true)[1]
  local text = line:sub(d.col + 1, d.end_col)
  check(text == (d.code == 'CMP006' and 'schemaHash' or 'method'), d.code .. ' underlines ' .. text)
end

-- Its own edits take the findings away.
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { 'source.fixAll.fmcp' } }
local answers = vim.lsp.buf_request_sync(stations, 'textDocument/codeAction', params, 20000)
local action = answers[client].result[1]
check(action, 'no action')
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
shows(stations, '')

-- A change in one buffer shows in another, which defines nothing itself.
vim.cmd([[silent %s/getTides:/getTide:/]])
vim.cmd('edit! selections/harbour-desk/arrivals.mjs')
vim.lsp.buf_attach_client(0, client)
shows(0, 'SEL003')
vim.fn.search('harbourlog/tool/listArrivals')
answers = vim.lsp.buf_request_sync(0, 'textDocument/definition', vim.lsp.util.make_position_params(), 20000)
local at = vim.tbl_get(answers, client, 'result', 1, 'uri') or ''
check(at:find('/providers/harbourlog/calls.mjs', 1, true), 'the definition is at ' .. vim.inspect(answers))
answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 20000)
check((vim.tbl_get(answers, client, 'result', 'contents', 'value') or ''):find('**harbourlog/tool/listArrivals**', 1, true),
  'the hover is ' .. vim.inspect(answers))

vim.lsp.get_client_by_id(client).stop()
vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 10)
print('interop: the language server works in Neovim\n')
vim.cmd('qall!')
