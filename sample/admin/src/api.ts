import { createRpcClient } from 'nestjs-resource-api/client';

/** The token of the user who has logged in. */
export const session = {
  get token(): string | null {
    return sessionStorage.getItem('token');
  },
  logIn(token: string): void {
    sessionStorage.setItem('token', token);
  },
  logOut(): void {
    sessionStorage.removeItem('token');
  },
};

export const client = createRpcClient({
  endpoint: '/api/rpc',
  headers: () => ({ Authorization: `Bearer ${session.token ?? ''}` }),
});
