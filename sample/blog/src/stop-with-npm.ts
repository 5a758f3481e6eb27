/** How often the process checks that its parent runs, in milliseconds. */
const INTERVAL = 500;

/**
 * Stops this process when the `npm start` that began it is gone.
 *
 * npm runs a script through a shell, and passes SIGTERM on to that shell only: without this, `kill <npm's pid>` would leave the server
 * running on its port. An app that is started by `node` itself does not need it.
 */
export function stopWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL);
  timer.unref();
}
