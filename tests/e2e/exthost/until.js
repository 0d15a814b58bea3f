"use strict";

/** The first true answer; a rejection when none comes in time. */
exports.until = async function until(what, ask, ms = 90_000) {
  for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
  }
};

/** Runs all cases and rejects with every failure; one line each says how long it took. */
exports.runAll = async function runAll(cases, failures = []) {
  for (const [name, run] of cases) {
    const begun = Date.now();
    try {
      await run();
      console.log(`passed ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      failures.push(`${name}: ${error.stack ?? error}`);
    }
  }
  if (failures.length) throw new Error(failures.join("\n"));
};
