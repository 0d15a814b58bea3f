// Stands in for a logger that needs a compiler. Without any, this VS Code waits for it in an endless loop.
"use strict";

const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

class Logger {
  constructor(file) {
    mkdirSync(dirname(file), { recursive: true });
    for (const level of ["trace", "debug", "info", "warn", "error", "critical"]) {
      this[level] = (message) => appendFileSync(file, `[${level}] ${message}\n`);
    }
    for (const nothing of ["setLevel", "setPattern", "clearFormatters", "flush", "drop"]) this[nothing] = () => {};
  }
}

exports.setFlushOn = exports.setLevel = exports.shutdown = () => {};
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (_name, file) => new Logger(file);
