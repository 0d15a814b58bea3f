// Puts the server and its pure-Python libraries into bundled/, in the versions that the lock file names.
// Needs any Python with pip (or uv) at packaging time: $PYTHON, the repository's .venv, python3 or python.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

const here = path.dirname(import.meta.dirname);
const root = path.dirname(here);
const bundled = path.join(here, "bundled");
const libs = path.join(bundled, "libs");

const LIBRARIES = [
  "attrs", "cattrs", "exceptiongroup", "jedi", "lsprotocol", "parso", "pathspec", "pygls", "tomli", "typing-extensions",
];
// Left out after installing: what only tests, type checkers or other programs read.
const NOISE = [
  /\.pyi$/, /\.so$/, /\.pyd$/, /(^|\/)__pycache__$/, /(^|\/)tests?$/, /^bin$/, /\.lock$/,
  /\.dist-info\/(RECORD|INSTALLER|REQUESTED|WHEEL|top_level\.txt|direct_url\.json|entry_points\.txt)$/,
  // jedi looks up stubs of the standard library only; of those for other packages there are thousands.
  /^jedi\/third_party\/django-stubs$/, /^jedi\/third_party\/typeshed\/stubs$/,
];
const TYPESHED = "jedi/third_party/typeshed";
const KEPT = /^jedi\/third_party\/typeshed\/stdlib\//;

const pinned = pins(readFileSync(path.join(root, ".ci", "requirements.lock"), "utf8"));
rmSync(bundled, { recursive: true, force: true });
mkdirSync(libs, { recursive: true });
install(LIBRARIES.map((name) => pinned.get(name) ?? fail(`${name} is not in .ci/requirements.lock`)));
prune(libs, "");
cpSync(path.join(root, "server", "adk_tool_lens"), path.join(bundled, "adk_tool_lens"), {
  recursive: true,
  filter: (file) => !file.endsWith("__pycache__") && !file.endsWith(".pyc"),
});
cpSync(path.join(here, "scripts", "run.py"), path.join(bundled, "run.py"));
cpSync(path.join(root, "server", "LICENSE"), path.join(here, "LICENSE"));
notices();

/** `name -> "name==version --hash=... --hash=..."`, the newest where a package is pinned per Python version. */
function pins(text) {
  const entries = text.replace(/\\\n/g, " ").split("\n").filter((line) => /^[a-z0-9]/i.test(line));
  return new Map(entries.map((line) => {
    const [, name, version] = /^([^=\s]+)==([^\s;]+)/.exec(line) ?? fail(`cannot read ${line}`);
    return [name.toLowerCase(), [`${name}==${version}`, ...(line.match(/--hash=\S+/g) ?? [])].join(" ")];
  }));
}

function install(lines) {
  const folder = mkdtempSync(path.join(tmpdir(), "adk-tool-lens-"));
  const file = path.join(folder, "requirements.txt");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const common = ["install", "-qq", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", libs, "-r", file];
  const [program, args] = installer();
  try {
    execFileSync(program, [...args, ...common, ...platform(args)], { stdio: ["ignore", "inherit", "inherit"] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whatever compiled wheels exist for this machine, the ones for every machine are wanted. */
function platform(args) {
  return args.includes("-m")
    ? ["--no-compile", "--disable-pip-version-check", "--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", "3.10"]
    : ["--python-version", "3.10"];
}

function installer() {
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  const own = path.join(root, ".venv", ...inside);
  for (const python of [process.env.PYTHON, own, "python3", "python"].filter(Boolean)) {
    if (works(python, ["-m", "pip", "--version"])) return [python, ["-m", "pip"]];
  }
  for (const uv of [path.join(path.dirname(own), "uv"), "uv"]) {
    if (works(uv, ["--version"])) return [uv, ["pip"]];
  }
  return fail("no Python with pip, and no uv; set PYTHON to a Python that has pip");
}

function works(program, args) {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function prune(folder, relative) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(relative, entry.name);
    const file = path.join(folder, entry.name);
    if (NOISE.some((one) => one.test(name)) && !KEPT.test(name)) {
      if (/\.(so|pyd)$/.test(name)) fail(`${name} is compiled: the bundle must run everywhere`);
      rmSync(file, { recursive: true });
    } else if (entry.isDirectory()) prune(file, name);
  }
}

/** The licences of everything that is inside the package, in one file. */
function notices() {
  const parts = ["# Third-party notices", "", "ADK Tool Lens contains the following packages, each under its own licence.", ""];
  const python = readdirSync(libs).filter((name) => name.endsWith(".dist-info")).sort();
  for (const folder of python) {
    const metadata = readFileSync(path.join(libs, folder, "METADATA"), "utf8");
    const of = (key) => new RegExp(`^${key}: (.*)$`, "m").exec(metadata)?.[1];
    entry(`${of("Name")} ${of("Version")}`, of("License-Expression") ?? of("License"), licences(path.join(libs, folder)));
  }
  entry("typeshed (its part for the standard library, inside jedi)", "Apache-2.0 and MIT", licences(path.join(libs, TYPESHED)));
  const modules = path.join(here, "node_modules");
  for (const name of closure(modules, "vscode-languageclient")) {
    const about = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
    entry(`${name} ${about.version}`, about.license, licences(path.join(modules, name)));
  }
  writeFileSync(path.join(here, "ThirdPartyNotices.md"), parts.join("\n"));

  function entry(title, licence, texts) {
    parts.push(`## ${title}`, "", `Licence: ${licence ?? "see below"}`, "", ...texts.flatMap((text) => ["```text", text.trim(), "```", ""]));
  }
}

function licences(folder) {
  return [folder, path.join(folder, "licenses")]
    .filter(existsSync)
    .flatMap((one) => readdirSync(one, { withFileTypes: true }))
    .filter((one) => one.isFile() && /^(licen[cs]e|copying|notice)/i.test(one.name))
    .map((one) => readFileSync(path.join(one.parentPath, one.name), "utf8"));
}

function closure(modules, first) {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name) || !existsSync(path.join(modules, name))) return;
    seen.add(name);
    const about = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
    Object.keys(about.dependencies ?? {}).forEach(visit);
  };
  visit(first);
  return [...seen].sort();
}

function fail(message) {
  console.error(`bundle: ${message}`);
  process.exit(1);
}
