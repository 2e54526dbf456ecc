/** Whether a path has the form in which policy is asked: relative, no empty, `.` or `..` segment, at most one trailing slash, no NUL. */
export function isNormalPath(path: string): boolean {
  return path === '' || !ABNORMAL.test(path);
}

const ABNORMAL = /(?:^|\/)(?:\.{0,2}\/|\.{1,2}$)|\0/;
