// A signal's own time-out is too new: Safari has it since version 16, Chrome since 103.

/** @param {number} ms @returns {AbortSignal} */
export function abortsAfter(ms) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
