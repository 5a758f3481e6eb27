import { createClient } from '@zenstackhq/fetch-client';
import { hide, reveal } from './fetch-client.values.mjs';
import { answerTasks } from './tasks.mjs';

const models = Object.fromEntries(['User', 'Post', 'Tag', 'Comment', 'Specimen', 'OrderLine'].map((name) => [name, { name }]));

/** Each task is one call of the client, as its users make it; values that JSON lacks travel to and from the test as `{ $type, value }`. */
answerTasks((endpoint) => {
  const client = createClient({ models }, { endpoint });
  return {
    call: async (model, operation, args) => hide(await client[model][operation](reveal(args))),
    transaction: async (operations) => hide(await client.$transaction(reveal(operations))),
    refusal: async (model, operation, args) => {
      try {
        return { answered: hide(await client[model][operation](reveal(args))) };
      } catch (error) {
        return { message: error.message, status: error.status, info: error.info };
      }
    },
  };
});
