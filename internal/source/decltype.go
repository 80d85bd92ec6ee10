package source

import (
	"go/ast"
	"go/token"
	"reflect"
)

// basicType returns the type of the variable that an expression denotes, if the file
// shows it to be a basic type: there is no type checker here.
func (s *source) basicType(e ast.Expr) reflect.Type {
	if id, ok := s.typeOf(e).(*ast.Ident); ok {
		return basicTypes[id.Name]
	}
	return nil
}

// typeOf returns an expression's type as written in a declaration, or nil.
func (s *source) typeOf(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.typeOf(e.X)
	case *ast.Ident:
		return s.declared(e)
	case *ast.SelectorExpr:
		t := s.typeOf(e.X)
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		if id, ok := t.(*ast.Ident); ok {
			return s.field(id.Name, e.Sel.Name)
		}
	case *ast.StarExpr:
		if star, ok := s.typeOf(e.X).(*ast.StarExpr); ok {
			return star.X
		}
	case *ast.IndexExpr:
		if array, ok := s.typeOf(e.X).(*ast.ArrayType); ok {
			return array.Elt
		}
	}
	return nil
}

// field returns the type of a field of a struct type in this file.
func (s *source) field(typ, name string) ast.Expr {
	if st, ok := s.named(typ).(*ast.StructType); ok {
		return fieldType(st.Fields, name)
	}
	return nil
}

// named returns the type to which this file gives a name, or nil.
func (s *source) named(name string) ast.Expr {
	for _, d := range s.file.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
				return t.Type
			}
		}
	}
	return nil
}

func fieldType(list *ast.FieldList, name string) ast.Expr {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			if id.Name == name {
				return f.Type
			}
		}
	}
	return nil
}

// declared returns the type in the innermost declaration that is visible to a use of a name.
func (s *source) declared(use *ast.Ident) (found ast.Expr) {
	var scopes []ast.Node // around the visited node; nil for nodes that are no scopes
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil {
			scopes = scopes[:len(scopes)-1]
			return true
		}
		if sees(innermost(scopes), n, use) {
			if t, ok := declares(n, use.Name); ok {
				found = t
			}
		}
		if !isScope(n) {
			n = nil
		}
		scopes = append(scopes, n)
		return true
	})
	return found
}

// sees reports whether a use of a name comes after a node, and within the scope of the
// node's declarations.
func sees(scope, n ast.Node, use *ast.Ident) bool {
	switch n.(type) {
	case *ast.FuncDecl, *ast.RangeStmt: // their names are scoped to themselves
		scope = n
	}
	return n.Pos() <= use.Pos() && (scope == nil || scope.Pos() <= use.Pos() && use.Pos() < scope.End())
}

func innermost(scopes []ast.Node) ast.Node {
	for i := len(scopes) - 1; i >= 0; i-- {
		if scopes[i] != nil {
			return scopes[i]
		}
	}
	return nil
}

func isScope(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.FuncLit, *ast.FuncDecl, *ast.ForStmt, *ast.RangeStmt, *ast.IfStmt,
		*ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// declares reports whether a node declares a name, and returns its type; nil if the
// type is not evident.
func declares(n ast.Node, name string) (t ast.Expr, ok bool) {
	named := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == name
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			if n.Tok == token.DEFINE && named(lhs) {
				if len(n.Lhs) == len(n.Rhs) {
					t = literalType(n.Rhs[i])
				}
				return t, true
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if id.Name == name {
				if t = n.Type; t == nil && i < len(n.Values) {
					t = literalType(n.Values[i])
				}
				return t, true
			}
		}
	case *ast.RangeStmt:
		return nil, n.Tok == token.DEFINE && (named(n.Key) || named(n.Value))
	case *ast.FuncDecl:
		if t = fieldType(n.Recv, name); t != nil {
			return t, true
		}
	case *ast.FuncType:
		if t = fieldType(n.Params, name); t == nil {
			t = fieldType(n.Results, name)
		}
		return t, t != nil
	}
	return nil, false
}

// literalType returns the type of a literal, a conversion to a basic type, a composite
// literal or the address of one.
func literalType(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.BasicLit:
		names := map[token.Token]string{token.INT: "int", token.STRING: "string", token.FLOAT: "float64", token.CHAR: "rune"}
		if name := names[e.Kind]; name != "" {
			return ast.NewIdent(name)
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return ast.NewIdent("bool")
		}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 {
			if id.Name == "new" {
				return &ast.StarExpr{X: e.Args[0]}
			}
			if basicTypes[id.Name] != nil {
				return id
			}
		}
	case *ast.UnaryExpr:
		if t := literalType(e.X); t != nil && e.Op == token.AND {
			return &ast.StarExpr{X: t}
		} else if e.Op == token.SUB {
			return t
		}
	case *ast.CompositeLit:
		return e.Type
	}
	return nil
}

// basicTypes are the basic types by name.
var basicTypes = map[string]reflect.Type{
	"bool": reflect.TypeFor[bool](), "string": reflect.TypeFor[string](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](), "rune": reflect.TypeFor[rune](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "byte": reflect.TypeFor[byte](),
	"uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"uintptr": reflect.TypeFor[uintptr](), "float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}
