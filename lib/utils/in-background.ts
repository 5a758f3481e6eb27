/**
 * Lets work go on that no response waits for. Without a handler, Node would end the process for an error in it, for example one of the application's
 * logger.
 */
export function inBackground(work: Promise<unknown>): void {
  work.catch((fault: unknown) => {
    // The logger may be what has failed.
    console.error('ResourceApi: work in the background has failed:', fault);
  });
}
