package rules
import ("testing";"os";"path/filepath";"fmt";"strings";"github.com/flowmcp/fmcp/pkg/module")
func TestZZField(t *testing.T){
 n:=0
 filepath.Walk(os.Getenv("FIELD"),func(p string,i os.FileInfo,e error)error{
  if !strings.HasSuffix(p,".mjs"){return nil}
  b,_:=os.ReadFile(p); src:=string(b); n++
  for _,f:=range ScanSource(src,ScanOptions{List:strings.Contains(p,"_lists"),Raw:os.Getenv("RAW")!=""}){ l,c:=module.NewLines(src).Position(f.Start); fmt.Printf("%s:%d:%d %s %s\n   %s\n",p[len(os.Getenv("FIELD")):],l,c,f.Code,f.Msg,strings.TrimSpace(module.NewLines(src).Text(l)))}
  return nil})
 fmt.Println(n,"files")
}
