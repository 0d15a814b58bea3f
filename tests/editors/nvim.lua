-- Neovim's own LSP client: diagnostics, hover and a code action, written to a file as JSON.
local given = vim.json.decode(os.getenv("LENS_TEST"))
local told = { errors = {} }

local function finish()
  local file = assert(io.open(given.answer, "w"))
  file:write(vim.json.encode(told))
  file:close()
  vim.cmd("qa!")
end

local function run()
  vim.o.swapfile = false
  vim.cmd("edit " .. vim.fn.fnameescape(given.file))
  local config = {
    name = "adk-tool-lens",
    cmd = given.command,
    root_dir = given.root,
    init_options = { settings = { interpreter = given.interpreter } },
    on_error = function(code, problem)
      table.insert(told.errors, tostring(code) .. " " .. vim.inspect(problem))
    end,
  }
  local client
  if vim.lsp.start then -- since 0.8
    client = vim.lsp.start(config)
  else
    client = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, client)
  end
  local function diagnostics()
    return vim.diagnostic.get(0)
  end
  vim.wait(90000, function()
    return #diagnostics() > 0
  end, 50)
  told.diagnostics = diagnostics()

  local first = told.diagnostics[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, 5 })
  local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), 30000)
  told.hover = answers and answers[client] and answers[client].result

  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local chosen = false
  vim.ui.select = function(items, options, choose)
    told.actions = vim.tbl_map(options.format_item, items)
    choose(items[1], 1)
    chosen = true
  end
  local before = vim.api.nvim_buf_get_changedtick(0)
  vim.lsp.buf.code_action()
  vim.wait(30000, function()
    return chosen and vim.api.nvim_buf_get_changedtick(0) ~= before
  end, 50)
  told.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.wait(30000, function()
    return #diagnostics() == 0
  end, 50)
  told.left = diagnostics()
  vim.lsp.stop_client(client)
end

local worked, problem = pcall(run)
if not worked then
  table.insert(told.errors, tostring(problem))
end
finish()
