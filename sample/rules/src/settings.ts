/** Where the API listens. */
export const PORT = Number(process.env['PORT'] ?? 3000);

/** How clients reach it; every link in an answer begins with it. */
export const BASE_URL = `http://localhost:${PORT}`;
