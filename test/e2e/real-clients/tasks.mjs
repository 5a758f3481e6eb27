/**
 * Does each task that the parent process asks for, and sends back what it returned or threw (`client-process.ts`).
 *
 * @param connect makes a client of the API at a URL: an object with a method for each task
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
