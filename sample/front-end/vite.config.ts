import { defineConfig } from 'vite';

/** The blog, as `npm start` in the root of the repository runs it. */
const proxy = { '/api': process.env['API_URL'] ?? 'http://localhost:3000' };

export default defineConfig({
  server: { proxy },
  preview: { proxy },
});
