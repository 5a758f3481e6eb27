import { Button, Form, Login, required, TextInput, useLogin, useNotify } from 'react-admin';

export function LoginPage() {
  const [login, notify] = [useLogin(), useNotify()];
  const submit = (values: object): void => {
    login(values).catch((error: unknown) => {
      notify(error instanceof Error ? error.message : 'The login failed.', { type: 'error' });
    });
  };
  return (
    <Login>
      <Form onSubmit={submit} className="login">
        <TextInput source="token" label="Token" helperText="The sample's npm start prints one for each person." validate={required()} />
        <Button type="submit" label="Log in" variant="contained" fullWidth />
      </Form>
    </Login>
  );
}
