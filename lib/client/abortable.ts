/** What a promise gives, or the signal's reason as soon as that aborts. */
export function abortable(result: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void result.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/**
 * A signal that aborts once all the given ones have; undefined where one of them is, for that one never does.
 *
 * @param until stops listening to them
 */
export function allAborted(signals: readonly (AbortSignal | undefined)[], until: AbortSignal): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length < signals.length) return undefined;
  const all = new AbortController();
  const abort = () => {
    if (given.every(({ aborted }) => aborted)) all.abort();
  };
  for (const signal of given) signal.addEventListener('abort', abort, { signal: until });
  return all.signal;
}
