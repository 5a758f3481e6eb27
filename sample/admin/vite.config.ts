import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The sample `real-application`, as its `npm start` runs it. */
const proxy = { '/api': process.env['API_URL'] ?? 'http://localhost:3000' };

export default defineConfig({
  server: { proxy },
  preview: { proxy },
  build: {
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: ['index.html', 'refine.html'].map((page) => resolve(import.meta.dirname, page)) },
  },
});
