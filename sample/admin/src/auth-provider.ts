import type { AuthProvider } from 'react-admin';
import { client, session } from './api.js';

/** A user logs in with a token. In your application, an identity provider issues it. */
export const authProvider: AuthProvider = {
  async login({ token }: { readonly token: string }) {
    session.logIn(token.trim());
    try {
      await client.$describe();
    } catch (error) {
      session.logOut();
      throw error;
    }
  },
  logout() {
    session.logOut();
    return Promise.resolve();
  },
  checkAuth: () => (session.token === null ? Promise.reject(new Error('Log in first.')) : Promise.resolve()),
  checkError: ({ status }: { readonly status?: number }) =>
    status === 401 ? Promise.reject(new Error('Log in again.')) : Promise.resolve(),
  getPermissions: () => Promise.resolve(session.token),
};
