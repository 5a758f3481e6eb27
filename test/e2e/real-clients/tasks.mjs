/**
 * Runs each task that the parent process requests, and sends its result or its error (`client-process.ts`).
 *
 * @param connect returns a client of the API at a URL: an object with a method for each task
 */
export function answerTasks(connect) {
  process.on('message', async ({ url, task, args }) => {
    try {
      process.send({ value: await connect(url)[task](...args) });
    } catch (error) {
      process.send({ error: error instanceof Error ? error.stack : String(error) });
    }
  });
}
